/** As much of an action as a button needs. */
interface Change<Input> {
  readonly mutateAsync: (input: Input) => Promise<unknown>;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly reset: () => void;
}

/** An action with its input, for a button that only asks whether to run it. */
export const withInput = <Input>({ mutateAsync, isPending, error, reset }: Change<Input>, input: Input) => ({
  mutateAsync: () => mutateAsync(input),
  isPending,
  error,
  reset,
});
