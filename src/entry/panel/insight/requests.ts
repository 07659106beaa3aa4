import {
  type CallFilter,
  KEPT_CALLS,
  KEPT_MS,
  type LoggedCall,
  REQUEST_ID,
} from '../../../domains/insight/request-log/request-log.ts';
import { DAY } from '../../../platform/clock.ts';
import { errors } from '../../../platform/contract/errors.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Base } from '../../../worlds/base.ts';
import { patternOf } from '../../api/endpoint.ts';
import { endpoints } from '../../api/endpoints.ts';
import { type Call, jsonOf, requireMode } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { answerView, fieldView, type Keys, keysOf, loggedKeyView } from '../../site/views/records.ts';
import { fields, memberRead } from '../member-action.ts';

const statuses: Readonly<Record<string, readonly [least: number, most: number]>> = {
  '2xx': [200, 299],
  '3xx': [300, 399],
  '4xx': [400, 499],
  '5xx': [500, 599],
  refused: [400, 599],
};

function requireCallFilter(call: Pick<Call, 'query'>): CallFilter {
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

const PER_PAGE = 50;

const VIEWED = {
  ...fields('id', 'request_id', 'at', 'method', 'endpoint', 'status', 'error', 'is_simulated', 'duration_ms'),
  ...fields('address', 'order_id'),
  key: fields('id', 'name', 'mask', 'permissions'),
};

export const requestActions = ({ db, worlds }: Base) => [
  memberRead('/api/{mode}/requests', {
    may: 'see-keys',
    viewed: {
      has_more: true,
      endpoints: true,
      requests: VIEWED,
      keys: fields('id', 'name', 'mask'),
      kept: fields('days', 'calls'),
    },
    async read(call) {
      const mode = requireMode(call);
      const { member, now } = call;
      const filter = requireCallFilter(call);
      const limit = filtersFrom(call).limit(PER_PAGE);
      const [calls, keys] = await Promise.all([
        // One more than the page tells whether there are more.
        worlds[mode].requestLog.list(member.partnerId, filter, { limit: limit + 1, now }),
        keysOf(db, member.partnerId),
      ]);
      return {
        requests: calls.slice(0, limit).map((one) => view(one, keys)),
        has_more: calls.length > limit,
        keys: keys.filter((key) => key.mode === mode).map(({ id, name, mask }) => ({ id, name, mask })),
        endpoints: ENDPOINTS,
        kept: { days: KEPT_MS / DAY, calls: KEPT_CALLS },
      };
    },
  }),
  memberRead('/api/{mode}/requests/{id}', {
    may: 'see-keys',
    viewed: {
      request: { ...VIEWED, fields: fields('in', 'name', 'value', 'note'), answer: fields('text', 'length') },
    },
    async read(call) {
      const mode = requireMode(call);
      const { member, now, params } = call;
      const { id = '' } = params;
      const [found, keys] = await Promise.all([
        REQUEST_ID.test(id) ? worlds[mode].requestLog.find(member.partnerId, id, now) : undefined,
        keysOf(db, member.partnerId),
      ]);
      if (!found) throw new Refused('request_not_found');
      return { request: { ...view(found, keys), fields: found.fields.map(fieldView), answer: answerView(found) } };
    },
  }),
];

const view = (call: LoggedCall, keys: Keys) => ({
  /** The place in the list, for the next page. */
  id: String(call.id),
  ...jsonOf(call, 'requestId', 'at'),
  key: loggedKeyView(call.keyId, keys),
  ...jsonOf(call, 'method', 'endpoint', 'status', 'error', 'isSimulated', 'durationMs', 'address', 'orderId'),
});

const ENDPOINTS = endpoints.map(patternOf).sort();

export type RequestView = ReturnType<typeof view> & {
  readonly fields: readonly ReturnType<typeof fieldView>[];
  readonly answer: ReturnType<typeof answerView>;
};
