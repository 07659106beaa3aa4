import { type Caller, claimedMode, type KeyDirectory, type KnownKey } from '../../../domains/partners/keys/keys.ts';
import { ahead, type Clock } from '../../../platform/clock.ts';
import { errors, SIMULATED_EVERYWHERE } from '../../../platform/contract/errors.ts';
import { batchExtra, Failure, fail } from '../../../platform/contract/failure.ts';
import { notPlain, type RawValue } from '../../../platform/contract/fields.ts';
import { tiers } from '../../../platform/contract/key-terms.ts';
import { hasBody } from '../../../platform/http/body.ts';
import { acceptEncodingOf } from '../../../platform/http/compression.ts';
import type { Form } from '../../../platform/http/form.ts';
import type { RateLimiter, Verdict } from '../../../platform/limits/rate-limit.ts';
import type { World } from '../../../worlds/world.ts';
import type { Context, Endpoint, FileReply, Input, Reply, Services } from '../endpoint.ts';
import type { ReadyReply } from '../ready.ts';
import { type ApiRequest, readFormText } from './api-request.ts';
import { success } from './envelope.ts';
import { requireVerb, tierOf } from './route.ts';

/** What the gates need. A gate named `require…` throws the failure the request is answered with. */
export interface Ground {
  readonly directory: KeyDirectory;
  readonly limiter: RateLimiter;
  readonly worlds: { readonly live: World; readonly sandbox: World };
  readonly services: Services;
  readonly clock: Clock;
  readonly clientAddress: (request: ApiRequest['incoming']) => string;
}

/** 1. Decided by the key's prefix alone, before anything else. */
export function requireKeyOfHost({ apiKey, host }: ApiRequest): void {
  const mode = claimedMode(apiKey);
  if (host.environment === 'sandbox' && mode === 'live') throw fail('live_key_on_sandbox_host');
  if (host.environment === 'live' && mode === 'sandbox') throw fail('sandbox_key_on_live_host');
}

/** 413, 415 and `malformed_request` come before gate 2, because only a readable body can be searched for a key. */
export function requireReadable(req: ApiRequest): void | Promise<void> {
  if (!hasBody(req.incoming)) return req.decodeUrl();
  return readFormText(req.incoming).then((text) => {
    req.decodeBody(text);
    req.decodeUrl();
  });
}

/** 2. A key in a URL or a body counts as leaked, even if the header is right. */
export function requireKeyOnlyInHeader({ query, body }: ApiRequest): void {
  if (query.has('api_key') || body.has('api_key')) throw fail('api_key_header_required');
}

export function requireKey({ apiKey }: ApiRequest): void {
  if (apiKey === '') throw fail('api_key_required');
}

export const findKey = (ground: Ground, req: ApiRequest) => ground.directory.find(req.apiKey);

/** 4. Unknown, revoked or expired. */
export function requireKnownKey(req: ApiRequest, key: KnownKey | undefined): KnownKey {
  if (!key || (key.expiresAt !== undefined && key.expiresAt <= req.now)) throw fail('invalid_api_key');
  req.caller = key;
  return key;
}

export function requireActivePartner({ partner }: KnownKey): void {
  if (partner === 'gone') throw fail('partner_not_found');
  if (partner === 'disabled') throw fail('partner_disabled');
}

/** 6. A refusal is recorded on the key, with its address and time. */
export function requireAllowedSource(ground: Ground, req: ApiRequest, key: KnownKey): void {
  if (key.allowed) {
    const address = ground.clientAddress(req.incoming);
    if (!key.allowed.has(address)) {
      ground.directory.recordRefusal(key.keyId, address, req.now);
      throw fail('ip_not_allowed');
    }
  }
  ground.directory.recordUse(key.keyId, req.now);
}

export function requireEndpoint(req: ApiRequest): Endpoint {
  const { endpoint, problem } = req.route;
  if (!endpoint) throw fail(problem ?? 'unknown_endpoint');
  requireVerb(endpoint, req.method);
  return endpoint;
}

/**
 * What members may do through the API's endpoints besides reading: nothing that spends money now. They may ask for refunds, cancel
 * orders, suspend and replace eSIMs, have them refill themselves at a price they name, and top up. Which roles may do which is decided before (`entry/panel/v3-permissions.ts`). They buy at a price they were
 * shown (`entry/panel/orders/purchases.ts`).
 */
const POSTS_OF_MEMBERS = [
  '/webhook/test',
  '/webhook/probe',
  '/account/sandboxBalance',
  '/account/sandboxReset',
  '/account/topup',
  '/account/topupConfirm',
  '/order/refund',
  '/order/cancel',
  '/esim/suspend',
  '/esim/resume',
  // It costs the operator, not the partner.
  '/esim/replace',
  '/esim/autorefill',
  '/sandbox/profile',
  '/sandbox/invoice',
];

/** 7, for a member. They buy with the panel's own form only: to others those endpoints do not exist. */
export function requireOpenToMembers(endpoint: Endpoint, { buyer }: Pick<ApiRequest, 'buyer'>): Endpoint {
  const isOpen = endpoint.verb === 'GET' || POSTS_OF_MEMBERS.includes(endpoint.path);
  if (!isOpen && !(endpoint.permission === 'buy' && buyer !== undefined)) throw fail('unknown_method');
  return endpoint;
}

export const ceilingOf = (req: ApiRequest): number =>
  req.caller?.ceilings[tierOf(req.route)] ?? tiers[tierOf(req.route)];

export const takeCall = (ground: Ground, req: ApiRequest, { quota }: Caller): Verdict | Promise<Verdict> =>
  ground.limiter.take(quota, tierOf(req.route), ceilingOf(req), req.now, req.route.endpoint?.calls?.(req.body));

export function requireWithinLimit(req: ApiRequest, verdict: Verdict): void {
  req.verdict = verdict;
  if (verdict.admitted) return;
  const { limit, retryAfterSeconds } = verdict;
  throw fail('rate_limited', { limit_per_minute: limit, tier: tierOf(req.route), retry_after: retryAfterSeconds });
}

/**
 * Like the endpoint's own refusals it comes after the limiter, so a program that keeps trying is slowed down. The contract's own
 * endpoints are open to every key that is not restricted; to manage webhooks, a key must be allowed to.
 */
export function requirePermission({ permissions }: KnownKey, { permission = 'read', isExtension }: Endpoint): void {
  const isPermitted = permissions ? permissions.includes(permission) : permission !== 'webhooks' || !isExtension;
  if (!isPermitted) throw fail('key_not_permitted', { permission });
}

export function contextOf(
  ground: Ground,
  req: ApiRequest,
  { mode, partnerId, aheadMs, quota, limits }: Caller,
): Context {
  // Written out: copying the services with a spread costs every request half a microsecond.
  const { catalog, pricing, routes, ready, prepared, actorOf, forgetKeys } = ground.services;
  const { id: requestId, now, buyer, budget } = req;
  return {
    catalog,
    pricing,
    routes,
    ready,
    prepared,
    actorOf,
    forgetKeys,
    world: ground.worlds[mode],
    partnerId,
    keyId: typeof quota === 'number' ? quota : undefined,
    requestId,
    now: now + aheadMs,
    clock: ahead(ground.clock, aheadMs),
    limits,
    buyer,
    budget,
  };
}

/** Some actions exist in one world only. Returns the part of the world the endpoint needs. */
export function requireAction({ world }: Context, endpoint: Endpoint): unknown {
  const port = endpoint.needs?.(world);
  if (endpoint.needs && port === undefined) throw fail(world.codes.unknownAction);
  return port;
}

/** 9. Some endpoints check their input before a simulated error; the others read it afterwards. */
export function checkInput(
  context: Context,
  req: ApiRequest,
  endpoint: Endpoint,
): Checked | undefined | Promise<Checked | undefined> {
  return endpoint.check && check(context, req, endpoint);
}

async function check(context: Context, req: ApiRequest, endpoint: Endpoint): Promise<Checked> {
  const input = inputOf(req, endpoint);
  return { input, checked: await endpoint.check?.(context, input, req.route.param) };
}

/** 10. Live keys cannot ask for one. */
export function requireNoSimulatedError(
  context: Context,
  req: ApiRequest,
  endpoint: Endpoint,
  found: Checked | undefined,
): void {
  if (context.world.livemode) return;
  const header = req.incoming.headers['x-sandbox-error'];
  const sent = typeof header === 'string' && header !== '' ? header : undefined;
  // The header wins over the query, the query over the body; empty counts as not sent.
  const wanted = sent ?? req.query.get('sandbox_error') ?? req.body.get('sandbox_error');
  if (wanted === undefined) return;
  simulateError(endpoint, wanted, {
    tier: endpoint.tier,
    limit_per_minute: ceilingOf(req),
    retry_after: SIMULATED_RETRY_AFTER,
    ...endpoint.simulatedExtra?.(found?.checked),
  });
}

export function handle(
  context: Context,
  req: ApiRequest,
  endpoint: Endpoint,
  found: Checked | undefined,
  port: unknown,
): Reply | ReadyReply | FileReply | Promise<Reply | ReadyReply | FileReply> {
  const { input, checked } = found ?? { input: inputOf(req, endpoint), checked: undefined };
  return endpoint.handle(context, input, {
    param: req.route.param,
    checked,
    port,
    // What is kept compressed cannot be added to.
    acceptEncoding: req.ignored ? undefined : acceptEncodingOf(req.incoming),
    envelope: (body) => success(200, req.livemode, body),
  });
}

interface Checked {
  readonly input: Input<Endpoint['fields']>;
  readonly checked: unknown;
}

/** Requires the path parameter and parses every field, in the order they are declared. */
function inputOf(req: ApiRequest, endpoint: Endpoint): Input<Endpoint['fields']> {
  if (endpoint.param && req.route.param === '') throw fail(endpoint.param.missing);
  const form: Form = endpoint.verb === 'GET' ? req.query : req.body;
  const input: Record<string, unknown> = {};
  for (const name in endpoint.fields) input[name] = endpoint.fields[name]?.parse(form.get(name));
  return input;
}

/** Seconds; also sent as the header of a simulated 429. */
const SIMULATED_RETRY_AFTER = 30;

/** A failure the caller asked for: answered like the real one, and marked as simulated. */
export class SimulatedFailure extends Failure {}

/** `catalog/product`, as the contract names endpoints. */
const endpointName = (endpoint: Endpoint): string => endpoint.path.split('/').slice(1, 3).join('/');

function simulateError(endpoint: Endpoint, wanted: RawValue, real: Readonly<Record<string, unknown>>): void {
  const allowed = [...SIMULATED_EVERYWHERE, ...endpoint.simulated];
  const code = wanted === notPlain ? undefined : allowed.find((candidate) => candidate === wanted);
  if (!code) throw fail('invalid_sandbox_error', { endpoint: endpointName(endpoint), allowed });
  const sample: Readonly<Record<string, unknown>> = errors[code].sample;
  const extra = Object.fromEntries(Object.entries(sample).map(([field, value]) => [field, real[field] ?? value]));
  const named = endpoint.isBatch ? batchExtra(code, extra) : extra;
  throw new SimulatedFailure(code, { ...named, sandbox_simulated: true });
}
