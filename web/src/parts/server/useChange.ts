import { type MutateFunction, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { type Change, newKey, Proposed, Refusal } from './client.ts';

/** Longer than the pause between the two clicks of a double click, which systems take to be at most 500 ms. */
const DOUBLE_CLICK_MS = 600;

interface Sent<Output> {
  /** The values it was sent with. */
  readonly input: string;
  readonly promise: Promise<Output>;
  /** When it succeeded; undefined while it runs. */
  endedAt?: number;
}

/**
 * A change on the server; the only way the pages make one. Afterwards the queries under `touches` are read again, and the notices,
 * whose cause it may have ended.
 *
 * It has a key from the moment its form opens (the component appears, or `reset` is called as a dialog opens), and sends it each
 * time until it has succeeded: a retry after a lost answer finds out what happened and changes nothing more. The next change gets
 * a new key. While one runs, calling it again waits for the same answer. So does the same call right after it has succeeded: that is
 * a double click whose first click was answered quickly.
 */
export function useChange<Input, Output>(
  run: (input: Input) => Change<Output>,
  touches?: QueryKey,
  onDone?: (output: Output) => unknown,
  /** Of a change that an earlier page began: it goes on under the key it was sent with. */
  begunUnder?: string,
) {
  const client = useQueryClient();
  const key = useRef('');
  const sent = useRef<Sent<Output>>(undefined);
  key.current ||= begunUnder ?? newKey();
  const readAgain = async () => {
    if (touches)
      await Promise.all([
        client.invalidateQueries({ queryKey: touches }),
        client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'notices' }),
      ]);
  };
  const mutation = useMutation({
    mutationFn: (input: Input) => run(input)(key.current),
    async onSuccess(output) {
      await readAgain();
      await onDone?.(output);
    },
    onError(error) {
      if (error instanceof Proposed) return client.invalidateQueries();
      return wasDone(error) ? readAgain() : undefined;
    },
  });
  const renew = () => {
    key.current = newKey();
  };

  const mutateAsync: MutateFunction<Output, Error, Input> = (...args) => {
    const input = JSON.stringify(args[0]) ?? '';
    const last = sent.current;
    if (
      last &&
      (last.endedAt === undefined || (last.input === input && performance.now() - last.endedAt < DOUBLE_CLICK_MS))
    )
      return last.promise;
    const promise = mutation.mutateAsync(...args);
    const now: Sent<Output> = { input, promise };
    sent.current = now;
    promise.then(
      () => {
        now.endedAt = performance.now();
        if (sent.current === now) renew();
      },
      (error) => {
        if (sent.current !== now) return;
        sent.current = undefined;
        // The person has read that it was done, so what they send now is another change.
        if (wasDone(error)) renew();
      },
    );
    return promise;
  };

  return {
    ...mutation,
    mutateAsync,
    mutate(...args: Parameters<typeof mutateAsync>): void {
      mutateAsync(...args).catch(() => {});
    },
    /** Begins again: another form is open. */
    reset() {
      mutation.reset();
      sent.current = undefined;
      renew();
    },
  };
}

/** Sent with other values, or its answer contains a secret that is shown only once: that answer was lost. */
const wasDone = (error: unknown): boolean =>
  error instanceof Refusal && (error.code === 'action_key_reused' || error.code === 'shown_once');
