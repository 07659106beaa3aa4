import { KEPT_CALLS, KEPT_MS, type LoggedCall, REQUEST_ID } from '../../../domains/insight/request-log/request-log.ts';
import { DAY } from '../../../platform/clock.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Base } from '../../../worlds/base.ts';
import { patternOf } from '../../api/endpoint.ts';
import { endpoints } from '../../api/endpoints.ts';
import { iso, requireMode } from '../../site/json/action.ts';
import { fieldView, type Keys, keysOf, loggedKeyView } from '../../site/views/records.ts';
import { type MemberAction, memberAction } from '../member-action.ts';
import { fields } from '../viewed.ts';
import { requireCallFilter } from './request-filters.ts';

const PER_PAGE = 50;

/** The account's API calls of the last days. */
export const requestActions = ({ db, worlds }: Base): MemberAction[] => [
  memberAction({
    verb: 'GET',
    path: '/api/{mode}/requests',
    may: 'see-keys',
    viewed: {
      has_more: true,
      endpoints: true,
      requests: {
        ...fields('id', 'request_id', 'at', 'method', 'endpoint', 'status', 'error', 'is_simulated', 'duration_ms'),
        ...fields('address', 'order_id'),
        key: fields('id', 'name', 'mask', 'permissions'),
      },
      keys: fields('id', 'name', 'mask'),
      kept: fields('days', 'calls'),
    },
    async handle(call) {
      const mode = requireMode(call);
      const { member, now } = call;
      const filter = requireCallFilter(call);
      const [calls, keys] = await Promise.all([
        // One more than the page tells whether there are more.
        worlds[mode].requestLog.list(member.partnerId, filter, { limit: PER_PAGE + 1, now }),
        keysOf(db, member.partnerId),
      ]);
      return { body: listView(mode, calls, keys) };
    },
  }),
  memberAction({
    verb: 'GET',
    path: '/api/{mode}/requests/{id}',
    may: 'see-keys',
    viewed: {
      request: {
        ...fields('id', 'request_id', 'at', 'method', 'endpoint', 'status', 'error', 'is_simulated', 'duration_ms'),
        ...fields('address', 'order_id'),
        key: fields('id', 'name', 'mask', 'permissions'),
        fields: fields('in', 'name', 'value', 'note'),
      },
    },
    async handle(call) {
      const mode = requireMode(call);
      const { member, now, params } = call;
      const { id = '' } = params;
      const [found, keys] = await Promise.all([
        REQUEST_ID.test(id) ? worlds[mode].requestLog.find(member.partnerId, id, now) : undefined,
        keysOf(db, member.partnerId),
      ]);
      if (!found) throw new Refused('request_not_found');
      return { body: { request: { ...view(found, keys), fields: found.fields.map(fieldView) } } };
    },
  }),
];

const view = (call: LoggedCall, keys: Keys) => ({
  /** The place in the list, for the next page. */
  id: String(call.id),
  request_id: call.requestId,
  at: iso(call.at),
  key: loggedKeyView(call.keyId, keys),
  method: call.method,
  endpoint: call.endpoint,
  status: call.status,
  error: call.error,
  is_simulated: call.isSimulated,
  duration_ms: call.durationMs,
  address: call.address,
  order_id: call.orderId === null ? null : String(call.orderId),
});

const listView = (mode: Mode, calls: readonly LoggedCall[], keys: Keys) => ({
  requests: calls.slice(0, PER_PAGE).map((call) => view(call, keys)),
  has_more: calls.length > PER_PAGE,
  /** What the filters offer. */
  keys: keys.filter((key) => key.mode === mode).map(({ id, name, mask }) => ({ id, name, mask })),
  endpoints: ENDPOINTS,
  kept: { days: KEPT_MS / DAY, calls: KEPT_CALLS },
});

const ENDPOINTS = endpoints.map(patternOf).sort();

export type RequestsView = ReturnType<typeof listView>;
export type RequestView = ReturnType<typeof view> & { readonly fields: readonly ReturnType<typeof fieldView>[] };
