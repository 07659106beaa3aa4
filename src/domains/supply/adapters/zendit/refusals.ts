import type { OrderAnswer } from '../../port/port.ts';

type Unavailable = Extract<OrderAnswer, { outcome: 'unavailable' }>;

/** Statuses that say that nothing was done. `mend`: the operator has to fix something. */
const byStatus: Readonly<Record<number, { readonly reason: string; readonly mend?: true }>> = {
  401: { reason: 'the key is refused', mend: true },
  403: { reason: 'our address is not allowed', mend: true },
  429: { reason: 'too many calls' },
};

/** What a status means for a call that asked for nothing else; undefined: it does not say that nothing was done. */
export function notDone(status: number, alarm: (reason: string) => void): Unavailable | undefined {
  const meaning = byStatus[status];
  if (!meaning) return undefined;
  const reason = `HTTP ${status}: ${meaning.reason}`;
  if (meaning.mend) alarm(reason);
  return { outcome: 'unavailable', reason };
}

/** Text from the other side does not go into our log, but a code may. */
export const codeIn = (value: unknown): string =>
  typeof value === 'string' && /^[A-Z][A-Z0-9_]{0,60}$/.test(value) ? value : 'no known code';
