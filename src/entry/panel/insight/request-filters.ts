import { type CallFilter, REQUEST_ID } from '../../../domains/insight/request-log/request-log.ts';
import { errors } from '../../../platform/contract/errors.ts';
import type { Call } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';

/** Statuses by their first digit, and everything that was refused. */
const statuses: Readonly<Record<string, readonly [least: number, most: number]>> = {
  '2xx': [200, 299],
  '3xx': [300, 399],
  '4xx': [400, 499],
  '5xx': [500, 599],
  refused: [400, 599],
};

/** Which calls a page lists, from its address. */
export function requireCallFilter(call: Pick<Call, 'query'>): CallFilter {
  const { read, text, id, smallId, time } = filtersFrom(call);
  return {
    keyId: smallId('key'),
    endpoint: text('endpoint', 100),
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
    orderId: id('order'),
    from: time('from'),
    to: time('to'),
    beforeId: id('before'),
  };
}

const requestIdOf = (text: string): string | undefined => {
  const id = text.toLowerCase();
  return REQUEST_ID.test(id) ? id : undefined;
};
