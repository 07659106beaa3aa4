import { createHmac, randomBytes } from 'node:crypto';
import { type Clock, DAY, MINUTE, timestamp } from '../../src/clock.ts';
import { iccidOf } from '../../src/suppliers/iccid.ts';
import { record } from './app.ts';
import { airaloPlaces, sandboxPackages } from './fake-airalo-packages.ts';
import { type Asked, fakeHttp, type Reply } from './fake-http.ts';

export interface AiraloOrder {
  readonly id: number;
  description: string | null;
  readonly packageId: string;
  readonly at: number;
  readonly iccid: string;
  status: string;
  hasSim: boolean;
}

interface AiraloUsage {
  remaining: number;
  total: number;
  expired_at: string | null;
  is_unlimited: boolean | null;
  status: string;
  activated_at: string | null;
}

const ok = (data: unknown, more: object = {}): Reply => ({
  status: 200,
  body: { data, meta: { message: 'success' }, ...more },
});
const problem = (status: number, message: string): Reply => ({ status, body: { data: [], meta: { message } } });
const fields = (data: Record<string, string>): Reply => ({
  status: 422,
  body: { data, meta: { message: 'the parameter is invalid' } },
});
const business = (code: number, reason: string, status = 422): Reply => ({ status, body: { code, reason } });
const balanceOf = (amount: number | string) => ({ name: 'balance', availableBalance: { amount, currency: 'USD' } });
const tooMany: Reply = { status: 429, body: { message: 'Too Many Attempts.' } };

/** A stand-in for Airalo's Partner API v2, as strict as its documents. It has no idempotency: every POST is another order. */
export async function fakeAiralo(clock: Clock) {
  const clientId = randomBytes(16).toString('hex');
  const clientSecret = randomBytes(20).toString('base64');
  record('secrets', `${clientSecret}\n`);
  const tokens = new Map<string, number>();
  const tokenCalls: number[] = [];
  const orders: AiraloOrder[] = [];
  const usages = new Map<string, AiraloUsage>();
  const state = {
    places: airaloPlaces(),
    pricing: { model: 'net_pricing', discount_percentage: 0 } as { model: string; discount_percentage: number },
    /** Answers in pages although none were requested. */
    pageSize: undefined as number | undefined,
    /** New orders have no profile yet. */
    withoutSims: false,
    /** The code that every order is answered with. */
    refuseWith: undefined as number | undefined,
    /** How long it takes until a new order is listed. */
    listedAfterMs: 0,
    /** Loses the description of new orders. */
    withoutDescription: false,
    addressBlocked: false,
    tokenLifeMs: DAY,
    /** What the account has left; undefined: it has no balance. */
    balance: 1_234.56 as number | string | undefined,
    /** What orders cost, where that is not what the list says. */
    charges: undefined as number | undefined,
  };

  function token(asked: Asked): Reply {
    const form = payloadOf(asked);
    if (!form) return problem(400, 'unreadable');
    if (!signatureFits(asked, form)) return business(14, 'Invalid checksum: the signature does not fit');
    const now = clock.now();
    while (tokenCalls[0] !== undefined && tokenCalls[0] <= now - MINUTE) tokenCalls.shift();
    if (tokenCalls.length >= 3) return tooMany;
    tokenCalls.push(now);
    if (form.client_id !== clientId) return fields({ client_id: 'The selected client id is invalid.' });
    if (form.client_secret !== clientSecret || form.grant_type !== 'client_credentials')
      return problem(401, 'Client authentication failed');
    const value = randomBytes(32).toString('base64url');
    record('secrets', `${value}\n`);
    tokens.set(value, now + state.tokenLifeMs);
    return ok({ token_type: 'Bearer', expires_in: 31_622_400, access_token: value });
  }

  function signatureFits({ headers }: Asked, payload: object): boolean {
    const given = headers['airalo-signature'];
    const json = JSON.stringify(payload).replaceAll('/', '\\/');
    return given === undefined || given === createHmac('sha512', clientSecret).update(json).digest('hex');
  }

  function packages({ query }: Asked): Reply {
    const limit = query.get('limit') ?? state.pageSize;
    if (limit !== undefined && !/^[1-9]\d*$/.test(String(limit)))
      return fields({ limit: 'The limit must be an integer.' });
    const size = Number(limit ?? state.places.length);
    const page = Number(query.get('page') ?? 1);
    const some = state.places.slice((page - 1) * size, page * size);
    const meta = {
      message: 'success',
      current_page: page,
      last_page: Math.ceil(state.places.length / size),
      per_page: String(size),
    };
    // From the second page on, a list comes as an object.
    const data = page > 1 ? Object.fromEntries(some.map((place, i) => [String(i + (page - 1) * size), place])) : some;
    return { status: 200, body: { pricing: state.pricing, data, links: {}, meta } };
  }

  function order(asked: Asked): Reply {
    const form = payloadOf(asked);
    if (!form) return problem(400, 'unreadable');
    if (!signatureFits(asked, form)) return business(14, 'Invalid checksum: the signature does not fit');
    const known = [
      'package_id',
      'quantity',
      'type',
      'description',
      'brand_settings_name',
      'to_email',
      'sharing_option',
    ];
    const strange = Object.keys(form).find((field) => !known.includes(field));
    if (strange) return fields({ [strange]: 'The field is not allowed.' });
    const packageId = String(form.package_id);
    const trigger = sandboxPackages[packageId] ?? state.refuseWith;
    if (trigger) return business(trigger, `The answer to code ${trigger}`);
    const sold = state.places
      .flatMap(({ operators }) => operators.flatMap(({ packages }) => packages))
      .find(({ id, type }) => id === packageId && type === 'sim');
    if (!sold) return fields({ package_id: 'The selected package is invalid.' });
    if (form.type !== 'sim') return fields({ type: 'The selected type is invalid.' });
    const quantity = Number(form.quantity);
    if (!Number.isInteger(quantity) || quantity < 1) return fields({ quantity: 'The quantity must be at least 1.' });
    if (quantity > 50) return fields({ quantity: 'The quantity may not be greater than 50.' });
    const made: AiraloOrder = {
      id: 583_747 + orders.length,
      description: form.description === undefined || state.withoutDescription ? null : String(form.description),
      packageId,
      at: clock.now(),
      iccid: iccidOf('891000', orders.length + 1),
      status: 'completed',
      hasSim: !state.withoutSims,
    };
    orders.push(made);
    const { amount, is_unlimited } = sold;
    const fresh = { expired_at: null, status: 'NOT_ACTIVE', activated_at: null };
    usages.set(made.iccid, { remaining: amount, total: amount, is_unlimited, ...fresh });
    return ok(show(made, false));
  }

  /** The list has some numbers as text that a new order's answer has as numbers. */
  function show(made: AiraloOrder, listed: boolean): Record<string, unknown> {
    const qrcode = `LPA:1$lpa.airalo.com$TEST-${made.id}`;
    record('secrets', `${qrcode}\n`);
    return {
      id: made.id,
      code: `20250415-${made.id}`,
      currency: 'USD',
      package_id: made.packageId,
      quantity: listed ? '1' : 1,
      type: 'sim',
      description: made.description,
      validity: listed ? '7' : 7,
      price: listed ? '4.00' : 4,
      ...chargeOf(made, listed),
      created_at: timestamp(made.at),
      manual_installation: '<p>…</p>',
      ...(listed ? { status: { name: 'Status', slug: made.status } } : {}),
      sims: made.hasSim
        ? [
            {
              id: made.id * 2,
              iccid: made.iccid,
              lpa: 'lpa.airalo.com',
              imsis: null,
              matching_id: `TEST-${made.id}`,
              qrcode,
              qrcode_url: 'https://airalo.invalid/qr',
              direct_apple_installation_url: `https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=${qrcode}`,
              apn_type: 'manual',
              apn_value: 'globaldata',
              is_roaming: true,
              confirmation_code: null,
              msisdn: null,
              apn: { ios: { apn_type: 'manual', apn_value: 'globaldata' }, android: {} },
            },
          ]
        : [],
    };
  }

  /** Accounts with a discount are told the amount they paid, the others the net price. */
  function chargeOf({ packageId }: AiraloOrder, listed: boolean): Record<string, unknown> {
    const sold = state.places
      .flatMap(({ operators }) => operators.flatMap(({ packages }) => packages))
      .find(({ id }) => id === packageId);
    const { model, discount_percentage } = state.pricing;
    const shown = (amount: number) => (listed ? amount.toFixed(2) : amount);
    if (model === 'net_pricing')
      return { pricing_model: model, net_price: shown(state.charges ?? Number(sold?.net_price)) };
    const paid = state.charges ?? (Number(sold?.price) * (100 - discount_percentage)) / 100;
    return { pricing_model: model, discount_percentage, net_price: null, total_amount_paid: shown(paid) };
  }

  function list({ query }: Asked): Reply {
    const like = query.get('filter[description]');
    const found = orders
      .filter(({ description }) => like === null || description?.includes(like))
      .filter(({ at }) => clock.now() >= at + state.listedAfterMs)
      .reverse();
    const include = (query.get('include') ?? '').split(',');
    const shown = found.map((one) => {
      const { sims, status, ...rest } = show(one, true);
      return {
        ...rest,
        ...(include.includes('sims') ? { sims } : {}),
        ...(include.includes('status') ? { status } : {}),
      };
    });
    return ok(shown, {
      links: { next: null },
      meta: { message: 'success', current_page: 1, last_page: 1, per_page: '25' },
    });
  }

  function sim(path: string): Reply {
    const [, iccid = '', what] = /^\/v2\/sims\/(\d+)\/(usage|packages)$/.exec(path) ?? [];
    const usage = usages.get(iccid);
    if (!usage || !what) return problem(404, 'messages.resource_not_found');
    const { activated_at, ...shown } = usage;
    if (what === 'usage') return ok({ ...shown, remaining_voice: 0, remaining_text: 0, total_voice: 0, total_text: 0 });
    return ok([{ id: 728, status: usage.status, remaining: usage.remaining, activated_at, finished_at: null }]);
  }

  function answer(asked: Asked): Reply {
    if (asked.headers.accept !== 'application/json') return problem(406, 'Accept: application/json');
    const route = `${asked.method} ${asked.path}`;
    if (route === 'POST /v2/token') return token(asked);
    const [, bearer = ''] = /^Bearer (.+)$/.exec(asked.headers.authorization ?? '') ?? [];
    if ((tokens.get(bearer) ?? 0) <= clock.now()) return problem(401, 'Unauthenticated.');
    if (state.addressBlocked) return business(89, 'IP is not on the list', 403);
    if (route === 'GET /v2/packages') return packages(asked);
    if (route === 'GET /v2/balance')
      return ok(state.balance === undefined ? [] : { balances: balanceOf(state.balance) });
    if (route === 'POST /v2/orders') return order(asked);
    if (route === 'GET /v2/orders') return list(asked);
    if (asked.method === 'GET') return sim(asked.path);
    return problem(404, 'messages.resource_not_found');
  }

  return {
    ...(await fakeHttp(answer, tooMany)),
    settings: { clientId, clientSecret },
    orders,
    usages,
    state,
    /** Revokes every token issued so far. */
    revokeTokens: () => tokens.clear(),
  };
}

export type FakeAiralo = Awaited<ReturnType<typeof fakeAiralo>>;

/** Reads JSON, as the SDKs send it, or a form, as in the documents. */
function payloadOf({ headers, body }: Asked): Record<string, unknown> | undefined {
  if (headers['content-type'] === 'application/x-www-form-urlencoded')
    return Object.fromEntries(new URLSearchParams(body));
  if (headers['content-type'] !== 'application/json') return undefined;
  return JSON.parse(body) as Record<string, unknown>;
}
