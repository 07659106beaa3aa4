import type { QueryKey } from '@tanstack/react-query';
import type { Actions } from '../../../../src/actions/actions.ts';
import { andThen, type Change, Proposed, postTo } from '../../parts/server/client.ts';
import { useChange } from '../../parts/server/useChange.ts';

/** What the console may run, by name; inputs and results are those of the declarations in `src/actions/`. */
type ActionName = keyof Actions;
export type ActionInput<N extends ActionName> = Actions[N]['input'];
export type ActionResult<N extends ActionName> = Actions[N]['result'];

/** What the server answers: it did it, or proposed it for another operator to approve. */
export type Answered<Result> = { readonly result: Result } | { readonly proposal: number };

/** Throws `Proposed`. */
export function requireResult<Result>(answer: Answered<Result>): Result {
  if ('proposal' in answer) throw new Proposed(answer.proposal);
  return answer.result;
}

/** Runs an action by its name, e.g. `wallet credit`; answers what `--json` prints. */
export const runAction = <N extends ActionName>(name: N, input: ActionInput<N>): Change<ActionResult<N>> =>
  andThen(
    postTo<Answered<ActionResult<N>>>(`/operator/api/run/${name.replaceAll(' ', '/')}`, { input }),
    requireResult,
  );

/** An action as a change: afterwards what is under `touches` is read again. */
export const useAction = <N extends ActionName>(name: N, touches: QueryKey) =>
  useChange((input: ActionInput<N>) => runAction(name, input), touches);

export type ActionChange<N extends ActionName> = ReturnType<typeof useAction<N>>;
