import { type Meaning, type Refusal, refusalOf } from '../connection.ts';

/** Statuses that say that nothing was done. */
const byStatus: Readonly<Record<number, Meaning>> = {
  401: { outcome: 'unavailable', reason: 'the key is refused', mend: true },
  403: { outcome: 'unavailable', reason: 'our address is not allowed', mend: true },
  429: { outcome: 'unavailable', reason: 'too many calls' },
};

/** What a status means for a call that asked for nothing else; undefined: it does not say that nothing was done. */
export const notDone = (status: number, alarm: (reason: string) => void): Refusal | undefined =>
  byStatus[status] && refusalOf(byStatus[status], `HTTP ${status}`, alarm);

/** Text from the other side does not go into our log, but a code may. */
export const codeIn = (value: unknown): string =>
  typeof value === 'string' && /^[A-Z][A-Z0-9_]{0,60}$/.test(value) ? value : 'no known code';
