/** Waits for all of them and then throws the first error, if there was one. */
export async function allOf(running: readonly Promise<void>[]): Promise<void> {
  const ended = await Promise.allSettled(running);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}
