import { type Caller, claimedMode, type KeyDirectory, type KnownKey } from '../accounts/accounts.ts';
import type { Context, Endpoint, Input, Reply } from '../api/endpoint.ts';
import type { ReadyReply } from '../api/ready.ts';
import type { Services } from '../api/services.ts';
import { ahead, type Clock } from '../clock.ts';
import { fail } from '../contract/errors.ts';
import { tiers } from '../contract/tiers.ts';
import type { World } from '../worlds/world.ts';
import { hasBody, readForm } from './body.ts';
import { success } from './envelope.ts';
import type { Exchange } from './exchange.ts';
import type { Form } from './form.ts';
import type { RateLimiter, Verdict } from './rate-limit.ts';
import { requireVerb, tierOf } from './route.ts';
import { askedError, SIMULATED_RETRY_AFTER, simulateError } from './simulate-error.ts';

/** What the gates stand on. */
export interface Ground {
  readonly directory: KeyDirectory;
  readonly limiter: RateLimiter;
  readonly worlds: { readonly live: World; readonly sandbox: World };
  readonly services: Services;
  readonly clock: Clock;
  readonly clientAddress: (request: Exchange['request']) => string;
}

/** 1. By prefix alone, before anything else. */
export function keyMatchesHost({ apiKey, host }: Exchange): void {
  const mode = claimedMode(apiKey);
  if (host.environment === 'sandbox' && mode === 'live') throw fail('live_key_on_sandbox_host');
  if (host.environment === 'live' && mode === 'sandbox') throw fail('sandbox_key_on_live_host');
}

/** 413, 415 and `malformed_request` come here: a body that cannot be read cannot be searched for a key. */
export function requestReadable(x: Exchange): void | Promise<void> {
  if (!hasBody(x.request)) return x.decodeUrl();
  return readForm(x.request).then((form) => {
    x.body = form ?? x.body;
    x.decodeUrl();
  });
}

/** 2. A key in a URL or a body counts as leaked, even beside the right header. */
export function keyOnlyInHeader({ query, body }: Exchange): void {
  if (query.has('api_key') || body.has('api_key')) throw fail('api_key_header_required');
}

/** 3. */
export function keyPresent({ apiKey }: Exchange): void {
  if (apiKey === '') throw fail('api_key_required');
}

export const keySent = (ground: Ground, x: Exchange) => ground.directory.find(x.apiKey);

/** 4. Unknown, revoked or expired. */
export function keyKnown(x: Exchange, key: KnownKey | undefined): KnownKey {
  if (!key || (key.expiresAt !== undefined && key.expiresAt <= x.now)) throw fail('invalid_api_key');
  x.caller = key;
  return key;
}

/** 5. */
export function partnerInGoodStanding({ partner }: KnownKey): void {
  if (partner === 'gone') throw fail('partner_not_found');
  if (partner === 'disabled') throw fail('partner_disabled');
}

/** 6. The refused address and time are recorded on the key. */
export function sourceAllowed(ground: Ground, x: Exchange, key: KnownKey): void {
  if (key.allowed) {
    const address = ground.clientAddress(x.request);
    if (!key.allowed.has(address)) {
      ground.directory.recordRefusal(key.keyId, address, x.now);
      throw fail('ip_not_allowed');
    }
  }
  ground.directory.recordUse(key.keyId, x.now);
}

/** 7. */
export function resourceActionVerb(x: Exchange): Endpoint {
  const { endpoint, problem } = x.route;
  if (!endpoint) throw fail(problem ?? 'unknown_endpoint');
  requireVerb(endpoint, x.method);
  return endpoint;
}

/** What a member may do in the panel by the API's own endpoints: read, and what spends nothing that is not already paid. */
const POSTS_OF_MEMBERS = [
  '/webhook/test',
  '/webhook/probe',
  '/account/sandboxBalance',
  '/account/sandboxReset',
  '/account/topup',
  '/account/topupConfirm',
];

/** 7, for a member: money is spent by keys only, so to her the rest does not exist. */
export function openToMembers(endpoint: Endpoint): Endpoint {
  if (endpoint.verb !== 'GET' && !POSTS_OF_MEMBERS.includes(endpoint.path)) throw fail('unknown_method');
  return endpoint;
}

export const ceilingOf = (x: Exchange): number => x.caller?.ceilings[tierOf(x.route)] ?? tiers[tierOf(x.route)];

export const callTaken = (ground: Ground, x: Exchange, { quota }: Caller): Verdict | Promise<Verdict> =>
  ground.limiter.take(quota, tierOf(x.route), ceilingOf(x), x.now);

/** 8. */
export function withinRateLimit(x: Exchange, verdict: Verdict): void {
  x.verdict = verdict;
  if (verdict.admitted) return;
  const { limit, retryAfterSeconds } = verdict;
  throw fail('rate_limited', { limit_per_minute: limit, tier: tierOf(x.route), retry_after: retryAfterSeconds });
}

export function contextOf(ground: Ground, x: Exchange, { mode, partnerId, aheadMs }: Caller): Context {
  const clock = ahead(ground.clock, aheadMs);
  return { ...ground.services, world: ground.worlds[mode], partnerId, now: x.now + aheadMs, clock };
}

/** An action one world knows and the other does not. */
export function actionKnown({ world }: Context, endpoint: Endpoint): unknown {
  const port = endpoint.needs?.(world);
  if (endpoint.needs && port === undefined) throw fail(world.codes.unknownAction);
  return port;
}

/** 9. What the endpoint checks about its input before a simulated error; the others read their input after it. */
export function inputChecked(
  context: Context,
  x: Exchange,
  endpoint: Endpoint,
): Checked | undefined | Promise<Checked | undefined> {
  return endpoint.check && check(context, x, endpoint);
}

async function check(context: Context, x: Exchange, endpoint: Endpoint): Promise<Checked> {
  const input = inputOf(x, endpoint);
  return { input, checked: await endpoint.check?.(context, input, x.route.param) };
}

/** 10. Live keys ignore it. */
export function noErrorSimulated(context: Context, x: Exchange, endpoint: Endpoint, found: Checked | undefined): void {
  if (context.world.livemode) return;
  const header = x.request.headers['x-sandbox-error'];
  const sent = typeof header === 'string' && header !== '' ? header : undefined;
  const asked = askedError(sent, x.query.get('sandbox_error'), x.body.get('sandbox_error'));
  if (asked === undefined) return;
  simulateError(endpoint, asked, {
    tier: endpoint.tier,
    limit_per_minute: ceilingOf(x),
    retry_after: SIMULATED_RETRY_AFTER,
    ...endpoint.simulatedExtra?.(found?.checked),
  });
}

/** 11. */
export function handled(
  context: Context,
  x: Exchange,
  endpoint: Endpoint,
  found: Checked | undefined,
  port: unknown,
): Reply | ReadyReply | Promise<Reply | ReadyReply> {
  const { input, checked } = found ?? { input: inputOf(x, endpoint), checked: undefined };
  const acceptEncoding = x.request.headers['accept-encoding'];
  return endpoint.handle(context, input, {
    param: x.route.param,
    checked,
    port,
    acceptEncoding: typeof acceptEncoding === 'string' ? acceptEncoding : undefined,
    envelope: (body) => success(200, x.livemode, body),
  });
}

interface Checked {
  readonly input: Input<Endpoint['fields']>;
  readonly checked: unknown;
}

/** Reads the path parameter's presence and every field, in the order they are declared. */
function inputOf(x: Exchange, endpoint: Endpoint): Input<Endpoint['fields']> {
  if (endpoint.param && x.route.param === '') throw fail(endpoint.param.missing as 'order_id_required');
  const form: Form = endpoint.verb === 'GET' ? x.query : x.body;
  const input: Record<string, unknown> = {};
  for (const name in endpoint.fields) input[name] = endpoint.fields[name]?.parse(form.get(name));
  return input;
}
