/** What is left of one limit, for an answer that takes several calls. */
export interface Deadline {
  leftMs(): number;
}

/** Measured, not read from the program's clock: turning that clock must not lengthen or end a wait. */
export function deadlineIn(limitMs: number): Deadline {
  const end = performance.now() + limitMs;
  return { leftMs: () => Math.max(0, end - performance.now()) };
}

/** What `promise` comes to, or `late` when that takes longer than the limit. */
export async function within<T, L>(promise: Promise<T>, limitMs: number, late: L): Promise<T | L> {
  const { promise: over, resolve } = Promise.withResolvers<L>();
  const timer = setTimeout(resolve, limitMs, late);
  return Promise.race([promise, over]).finally(() => clearTimeout(timer));
}
