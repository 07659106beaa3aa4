/** Works on all of them side by side, each to its end before the first failure is reported; returns how many there were. */
export async function workOnAll<T>(batch: readonly T[], work: (one: T) => Promise<unknown>): Promise<number> {
  const tried = await Promise.allSettled(batch.map(work));
  const failed = tried.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return batch.length;
}
