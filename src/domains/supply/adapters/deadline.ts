/** What is left of one time limit that several calls share. */
export interface Deadline {
  leftMs(): number;
}

/** Measured with a monotonic clock: turning the program's clock must not lengthen or end a wait. */
export function deadlineIn(limitMs: number): Deadline {
  const end = performance.now() + limitMs;
  return { leftMs: () => Math.max(0, end - performance.now()) };
}

/** The result of `promise`, or `late` if it takes longer than the limit. */
export async function within<T, L>(promise: Promise<T>, limitMs: number, late: L): Promise<T | L> {
  const { promise: over, resolve } = Promise.withResolvers<L>();
  const timer = setTimeout(resolve, limitMs, late);
  return Promise.race([promise, over]).finally(() => clearTimeout(timer));
}
