import type { OperatorContext } from '../../actions/action.ts';
import type { OperatorPermission, OperatorSession } from '../../domains/partners/people/people.ts';
import type { TSchema } from '../../platform/contract/schema.ts';
import type { Call, JsonAction, SignedInAction } from '../site/json/action.ts';
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
type Declared<B extends TSchema> = Omit<JsonAction<OperatorCall, B>, 'path'> &
  Pick<OperatorAction, 'may' | 'fresh' | 'beforeSecondFactor' | 'noCommand'>;

export const operatorAction = <B extends TSchema>(declared: Declared<B> & { readonly path: Path }): OperatorAction =>
  ({ ...declared, signedIn: true }) as unknown as OperatorAction;

export const operatorChange = <B extends TSchema>(path: Path, declared: Omit<Declared<B>, 'verb'>): OperatorAction =>
  operatorAction({ verb: 'POST', path, ...declared } as Declared<B> & { readonly path: Path });

/** One that only reads, for every operator. */
export const operatorRead = (path: Path, read: (call: OperatorCall) => Promise<object>): OperatorAction =>
  operatorAction({ verb: 'GET', path, may: 'see', handle: async (call) => ({ body: { ...(await read(call)) } }) });

/** A file, for every operator. */
export const operatorFile = (
  path: `/operator/api/${string}.csv`,
  file: (call: OperatorCall) => Promise<Download>,
): OperatorAction => operatorAction({ verb: 'GET', path, may: 'see', handle: file });
