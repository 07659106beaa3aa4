import type { CommandInput, useRun } from '../../api/run.ts';

/** A command with its input, for a button that only asks whether to run it. */
export const withInput = (run: ReturnType<typeof useRun>, input: CommandInput) => ({
  mutateAsync: () => run.mutateAsync(input),
  isPending: run.isPending,
  error: run.error,
  reset: run.reset,
});
