import type { OperatorContext } from '../../actions/action.ts';
import type { OperatorPermission, OperatorSession } from '../../domains/partners/people/people.ts';
import {
  actionsOf,
  type BytesFile,
  type Call,
  type SignedInAction,
  type Typed,
  type Written,
} from '../site/json/action.ts';
import type { Download } from '../site/json/csv.ts';

export interface OperatorCall extends Call {
  readonly operator: OperatorSession;
  /** The operator as commands know them; the audit log gets their name. */
  readonly context: OperatorContext;
}

export interface OperatorAction extends SignedInAction<OperatorCall, OperatorPermission> {
  /** Open to an operator who has yet to set up the second factor their role needs. */
  readonly beforeSecondFactor?: true;
  /** For an action that changes something: why the command line has no command for it. */
  readonly noCommand?: string;
}

type Path = `/operator/api/${string}`;

export const { action: operatorAction, change: operatorChange } = actionsOf<
  OperatorCall,
  Path,
  Pick<OperatorAction, 'may' | 'fresh' | 'beforeSecondFactor' | 'noCommand'>
>();

/** One that only reads, for every operator. */
export const operatorRead = <P extends Path, A extends object>(path: P, read: (call: OperatorCall) => Promise<A>) =>
  operatorAction({
    verb: 'GET',
    path,
    may: 'see',
    handle: async (call) => ({ body: { ...((await read(call)) as object) } }),
  }) as OperatorAction & Typed<'GET', P, undefined, Written<A>>;

/** A file, for every operator. */
export const operatorFile = <P extends `/operator/api/${string}.csv`>(
  path: P,
  file: (call: OperatorCall) => Promise<Download>,
) => operatorAction({ verb: 'GET', path, may: 'see', handle: file });

/** A whole file, such as a PDF, for every operator. */
export const operatorBytes = <P extends Path>(path: P, file: (call: OperatorCall) => Promise<BytesFile>) =>
  operatorAction({ verb: 'GET', path, may: 'see', handle: file });
