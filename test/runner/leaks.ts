/** Secrets are indexed by their last four bytes. The first ones are a prefix that many secrets share. */
const TAIL = 4;
const SPREAD = 2_654_435_761;
const slot = (tail: number): number => Math.imul(tail, SPREAD) >>> 16;

/**
 * Which of the secrets occur in the text. There are thousands of secrets and tens of megabytes: the text is read once for all of them,
 * and compared only where one could end.
 */
export function leaksIn(text: Buffer, secrets: readonly string[]): string[] {
  const byTail = new Map<number, Buffer[]>();
  const maybe = new Uint8Array(2 ** 16);
  for (const secret of new Set(secrets)) {
    const bytes = Buffer.from(secret);
    if (bytes.length < TAIL) throw new Error('too short for a secret');
    const tail = bytes.readUInt32LE(bytes.length - TAIL);
    byTail.set(tail, [...(byTail.get(tail) ?? []), bytes]);
    maybe[slot(tail)] = 1;
  }
  const found = new Set<string>();
  for (let at = 0; at + TAIL <= text.length; at++) {
    const tail = text.readUInt32LE(at);
    if (maybe[slot(tail)] === 0) continue;
    for (const bytes of byTail.get(tail) ?? []) {
      const begin = at + TAIL - bytes.length;
      if (begin >= 0 && text.compare(bytes, 0, bytes.length, begin, at + TAIL) === 0) found.add(bytes.toString());
    }
  }
  return [...found];
}
