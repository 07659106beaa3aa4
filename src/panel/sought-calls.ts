import { errors } from '../contract/errors.ts';
import { type InvalidField, Refused } from '../contract/refused.ts';
import { REQUEST_ID, type SoughtCalls } from '../request-log/request-log.ts';
import type { Call } from '../site/action.ts';

/** Statuses by their first digit, and everything that was refused. */
const statuses: Readonly<Record<string, readonly [least: number, most: number]>> = {
  '2xx': [200, 299],
  '3xx': [300, 399],
  '4xx': [400, 499],
  '5xx': [500, 599],
  refused: [400, 599],
};

/** Which calls a page lists, from its address. */
export function requireSoughtCalls({ query }: Pick<Call, 'query'>): SoughtCalls {
  const read = <T>(name: InvalidField, parse: (text: string) => T | undefined, expected: string): T | undefined => {
    const text = query(name).trim();
    if (text === '') return undefined;
    const value = parse(text);
    if (value === undefined) throw new Refused(`invalid_${name}`, `${expected}, not "${text.slice(0, 40)}"`);
    return value;
  };
  return {
    keyId: read(
      'key',
      (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
      'the id of an API key is a number',
    ),
    endpoint: read(
      'endpoint',
      (text) => (text.length <= 100 ? text : undefined),
      'an endpoint has 100 characters at most',
    ),
    status: read(
      'status',
      (text) => (Object.hasOwn(statuses, text) ? statuses[text] : undefined),
      `the status is ${Object.keys(statuses).join(', ')}`,
    ),
    error: read(
      'error',
      (text) => (Object.hasOwn(errors, text) ? text : undefined),
      'an error code is one of the API reference',
    ),
    requestId: read('request_id', requestIdOf, 'a request id has 36 characters, as in the header X-Request-Id'),
    orderId: read('order', idOf, 'the id of an order is a number'),
    from: read('from', timeOf, 'write the time as 2026-11-15 or 2026-11-15T14:30'),
    to: read('to', timeOf, 'write the time as 2026-11-15 or 2026-11-15T14:30'),
    beforeId: read('before', idOf, 'the place to go on is a number'),
  };
}

const requestIdOf = (text: string): string | undefined => {
  const id = text.toLowerCase();
  return REQUEST_ID.test(id) ? id : undefined;
};

const idOf = (text: string): bigint | undefined => (/^[1-9]\d{0,17}$/.test(text) ? BigInt(text) : undefined);

/** A day or a minute, in UTC. */
function timeOf(text: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?$/.test(text)) return undefined;
  const at = new Date(text.includes('T') ? `${text}Z` : `${text}T00:00Z`);
  // A day that does not exist, like 30 February, would become another one.
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? at : undefined;
}
