import type { BalanceAnswer } from '../../port/port.ts';
import { type Deadline, type JsonClient, type Meaning, openCalls, type Refusal, refusalOf } from '../connection.ts';
import { parseObject } from '../loose.ts';
import { microsOfMinor } from './plans.ts';

interface ClientParts {
  readonly url: URL;
  readonly apiKey: string;
  /** Undefined: any number. */
  readonly perSecond?: number | undefined;
}

/** Zendit has no envelope: what an answer means is in its status and its fields. */
export function openClient({ url, apiKey, perSecond }: ClientParts): JsonClient {
  const { send, close } = openCalls({ url, perSecond });
  const headers = { authorization: `Bearer ${apiKey}` };
  return {
    get: (path, deadline, limits) => send({ method: 'GET', path, headers }, deadline, limits),
    post: (path, payload, deadline) => send({ method: 'POST', path, headers, body: JSON.stringify(payload) }, deadline),
    close,
  };
}

export async function readBalance(client: JsonClient, deadline: Deadline): Promise<BalanceAnswer> {
  const called = await client.get('/balance', deadline);
  if ('failed' in called) return { outcome: 'unavailable', reason: called.failed };
  if (called.status !== 200) return { outcome: 'unavailable', reason: `HTTP ${called.status}` };
  const { availableBalance, currency, currencyDivisor } = parseObject(called.text);
  const balance = microsOfMinor(availableBalance, currency, currencyDivisor);
  if (balance === null) return { outcome: 'unavailable', reason: 'no balance in USD in the answer' };
  return { outcome: 'balance', balance };
}

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
