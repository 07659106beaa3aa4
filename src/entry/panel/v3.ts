import type { Actor } from '../../actions/actor.ts';
import { bindingLimits } from '../../domains/partners/limits/limits.ts';
import type { Permission } from '../../domains/partners/people/people.ts';
import { change } from '../../platform/audit/audit-log.ts';
import type { AuditKind } from '../../platform/audit/sentences.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import { type Received, receivedWith } from '../../platform/http/body.ts';
import type { Form } from '../../platform/http/form.ts';
import { splitTarget } from '../../platform/http/target.ts';
import type { Verdict } from '../../platform/limits/rate-limit.ts';
import { type Answered, type AnswerParts, answered } from '../api/gates/answer.ts';
import { ApiRequest } from '../api/gates/api-request.ts';
import { passMemberGates } from '../api/gates/edge.ts';
import { takeCall } from '../api/gates/gates.ts';
import { requireMode } from '../site/json/action.ts';
import { type JsonApi, keyOf } from '../site/json/json-api.ts';
import { NOT_KEPT } from '../site/json/refusals.ts';
import { page, type SiteReply, type SiteRoute } from '../site/routes.ts';
import { type MemberCall, onlyThese } from './member-action.ts';
import { notForViewers, quotaOf, requireLive, requireMemberRole } from './members-only.ts';
import { keptOf, permissionFor, viewedOf } from './v3-permissions.ts';

/**
 * The API's own endpoints at /api/{mode}/v3/… for a member, with the same world, fields and answers as for a key of their partner.
 * A change has a key like any other action of the panel: a repeat gets the first answer that was not a refusal.
 */
export function v3Route(api: JsonApi<MemberCall, Permission>, parts: AnswerParts): SiteRoute {
  return {
    verb: 'any',
    path: '/api/{mode}/v3/{*}',
    handle: api.forSignedIn(async (call, incoming) => {
      const mode = requireMode(call);
      const { path, query } = splitTarget(incoming.request.url ?? '/');
      const basePath = `/api/${mode}/v3`;
      const host = { environment: mode, authority: '', port: 0, basePath, secure: false };
      // Not by the length of the base path: the mode is a parameter and may have been sent percent-encoded.
      const below = path.slice(path.indexOf('/v3/') + '/v3'.length);
      const caller = callerOf(call, mode);
      const route = parts.router.find(below);
      const may = permissionFor(route.endpoint?.path);
      requireMemberRole(call, may);
      const asked = (request: Received, verdict?: Verdict) =>
        Object.assign(new ApiRequest(request, host, below, query, call.now), { caller, route, verdict });
      const answer = (req: ApiRequest) => answered(parts, req, (ground) => passMemberGates(ground, req, caller));
      if (!call.isChange) {
        const { status, headers, body } = await answer(asked(incoming.request));
        return reply(status, headers, call.viewer ? viewedBody(route.endpoint?.path, status, body) : body);
      }
      if (mode === 'live') requireLive(call);
      const sent = await incoming.body();
      const action = `${mode} ${route.endpoint?.path ?? ''}`;
      const request = { key: keyOf(incoming), action, args: { below, query, sent: sent.toString('latin1') }, may };
      // Counted before it may have to wait for a request with the same key.
      const verdict = route.endpoint && (await takeCall(parts.ground, asked(incoming.request), caller));
      const work = async () => {
        const req = asked(receivedWith(incoming.request, sent), verdict);
        const done = await answer(req);
        if (done.status < 400) await recordChange(call.actor, mode, route.endpoint?.path, req.body);
        return done;
      };
      const keep = ({ status }: Answered) => (status < 400 ? keptOf(route.endpoint?.path) : 'nothing');
      const isRefused = verdict?.admitted === false;
      const { status, headers, body } = await (isRefused ? work() : api.once(call, request, work, keep));
      return reply(status, headers, body);
    }),
  };
}

/** A member as a caller of the API's endpoints. */
export const callerOf = (call: MemberCall, mode: Mode) => ({
  quota: quotaOf(call),
  partnerId: call.member.partnerId,
  mode,
  ceilings: {},
  aheadMs: mode === 'sandbox' ? call.member.aheadMs : 0,
  limits: bindingLimits([], call.member.limits),
});

function viewedBody(path: string | undefined, status: number, body: Answered['body']): Answered['body'] {
  const fields = viewedOf(path, status);
  if (fields === 'whole') return body;
  if (fields === undefined || typeof body !== 'string') throw notForViewers();
  return JSON.stringify(onlyThese(JSON.parse(body), fields));
}

function reply(status: number, headers: Answered['headers'], body: Answered['body']): SiteReply {
  const { 'content-type': type, ...more } = headers;
  const texts = Object.fromEntries(Object.entries(more).map(([name, value]) => [name, String(value)]));
  return page(status, String(type), body, { ...texts, ...NOT_KEPT });
}

/** The changes of the API that the activity of an account names when a member makes them in the panel. */
const kinds: Readonly<Record<string, AuditKind>> = {
  '/order/cancel': 'order cancel',
  '/esim/suspend': 'esim suspend',
  '/esim/resume': 'esim resume',
  '/esim/replace': 'esim replace',
  '/esim/autorefill': 'esim autorefill',
};
/** What was wanted, as far as the entry says it. */
const recorded = ['product_id', 'at_percent', 'times', 'max_price', 'off'];

/**
 * Writes the entry of a change that was carried out. A supplier is asked in between, so it has a transaction of its own: if a process
 * dies before it, the panel repeats the request under its key, which changes nothing more and is recorded then.
 */
export async function recordChange(actor: Actor, mode: Mode, path: string | undefined, sent: Form): Promise<void> {
  const kind = kinds[path ?? ''];
  if (kind === undefined) return;
  const text = (field: string) => String(sent.get(field) ?? '').trim();
  const [iccid, orderId] = [text('iccid'), text('order_id')];
  const wanted = Object.fromEntries(recorded.flatMap((field) => (sent.get(field) ? [[field, sent.get(field)]] : [])));
  const { db, who, confinedTo, steps } = actor;
  await change({ db, who, confinedTo, steps }, kind, () => ({
    target: orderId ? `${mode === 'live' ? '' : 'sandbox '}order ${orderId}` : `eSIM ${iccid}`,
    after: orderId ? { mode } : { mode, iccid, ...wanted },
    result: undefined,
  }));
}
