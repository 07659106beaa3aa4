import { createHmac, randomBytes } from 'node:crypto';
import { iccidOf } from '../../../src/domains/supply/port/esim.ts';
import { type Clock, DAY, MINUTE, timestamp } from '../../../src/platform/clock.ts';
import { record } from '../program/app.ts';
import { business, fields, notFound, ok, payloadOf, problem, simView, tooMany } from './fake-airalo-answers.ts';
import { airaloPlaces, listedPlaces, packageOf, sandboxPackages } from './fake-airalo-packages.ts';
import { fakeAiraloSims } from './fake-airalo-sims.ts';
import { type FakeRequest, fakeHttp, type Reply, type Secured } from './fake-http.ts';

interface AiraloOrder {
  readonly id: number;
  readonly type: 'sim' | 'topup';
  description: string | null;
  readonly packageId: string;
  readonly at: number;
  /** Of a refill: the eSIM it was added to. */
  readonly iccid: string;
  readonly iccids: readonly string[];
  status: string;
  hasSim: boolean;
}

const balanceOf = (amount: number | string) => ({ name: 'balance', availableBalance: { amount, currency: 'USD' } });
const orderFields = [
  'package_id',
  'quantity',
  'type',
  'description',
  'brand_settings_name',
  'to_email',
  'sharing_option',
  'copy_address',
];
const refillFields = ['package_id', 'iccid', 'description'];

/**
 * A stand-in for Airalo's Partner API v2, as strict as its documents and as Airalo's own SDK expects it
 * (`test/domains/supply/airalo-sdk.test.ts`). It has no idempotency: every POST is another order.
 */
export async function fakeAiralo(clock: Clock, secured?: Secured) {
  const clientId = randomBytes(16).toString('hex');
  // Airalo's SDK takes letters, digits, "_" and "-" only.
  const clientSecret = randomBytes(20).toString('base64url');
  record('secrets', `${clientSecret}\n`);
  const tokens = new Map<string, number>();
  const tokenCalls: number[] = [];
  const orders: AiraloOrder[] = [];
  const state = {
    places: airaloPlaces(),
    pricing: { model: 'net_pricing', discount_percentage: 0 } as { model: string; discount_percentage: number },
    /** Answers in pages although none were requested. */
    pageSize: undefined as number | undefined,
    /** From the second page on, a list comes as an object, as the documents warn. Airalo's SDK could not read that. */
    pagesAsObjects: false,
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
  const sims = fakeAiraloSims(clock, () => state.places);

  function token(form: Record<string, unknown>): Reply {
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

  /** A request with a payload, if it can be read and its signature fits. The signature may be missing. */
  function checked(request: FakeRequest, work: (form: Record<string, unknown>) => Reply): Reply {
    const form = payloadOf(request);
    if (!form) return problem(400, 'unreadable');
    const given = request.headers['airalo-signature'];
    const json = JSON.stringify(form).replaceAll('/', '\\/');
    if (given !== undefined && given !== createHmac('sha512', clientSecret).update(json).digest('hex'))
      return business(14, 'Invalid checksum: the signature does not fit');
    return work(form);
  }

  function packages({ query }: FakeRequest): Reply {
    const limit = query.get('limit') ?? state.pageSize;
    if (limit !== undefined && !/^[1-9]\d*$/.test(String(limit)))
      return fields({ limit: 'The limit must be an integer.' });
    const places = listedPlaces(state.places, query);
    const size = Number(limit ?? Math.max(1, places.length));
    const page = Number(query.get('page') ?? 1);
    const some = places.slice((page - 1) * size, page * size);
    const meta = {
      message: 'success',
      current_page: page,
      last_page: Math.max(1, Math.ceil(places.length / size)),
      per_page: String(size),
    };
    const keyed = () => Object.fromEntries(some.map((place, i) => [String(i + (page - 1) * size), place]));
    const data = page > 1 && state.pagesAsObjects ? keyed() : some;
    return { status: 200, body: { pricing: state.pricing, data, links: {}, meta } };
  }

  /** What is wrong with an order or refill, whatever it is for; undefined: nothing. */
  function refusal(form: Record<string, unknown>, known: readonly string[]): Reply | undefined {
    const strange = Object.keys(form).find((field) => !known.includes(field));
    if (strange) return fields({ [strange]: 'The field is not allowed.' });
    const code = sandboxPackages[String(form.package_id)] ?? state.refuseWith;
    return code === undefined ? undefined : business(code, `The answer to code ${code}`);
  }

  function order(form: Record<string, unknown>): Reply {
    const refused = refusal(form, orderFields);
    if (refused) return refused;
    const sold = packageOf(state.places, String(form.package_id), 'sim');
    if (!sold) return fields({ package_id: 'The selected package is invalid.' });
    if (form.type !== 'sim') return fields({ type: 'The selected type is invalid.' });
    const quantity = Number(form.quantity);
    if (!Number.isInteger(quantity) || quantity < 1) return fields({ quantity: 'The quantity must be at least 1.' });
    if (quantity > 50) return fields({ quantity: 'The quantity may not be greater than 50.' });
    const iccids = Array.from({ length: quantity }, (_, i) => iccidOf('891000', sims.usages.size + 1 + i));
    for (const iccid of iccids) sims.sell(iccid, sold);
    return ok(show(added('sim', form, iccids), false));
  }

  function refill(form: Record<string, unknown>): Reply {
    const iccid = String(form.iccid);
    const refused = refusal(form, refillFields) ?? sims.refill(iccid, String(form.package_id));
    return refused ?? ok(show(added('topup', form, [iccid]), false));
  }

  function added(type: 'sim' | 'topup', form: Record<string, unknown>, iccids: readonly string[]): AiraloOrder {
    const made: AiraloOrder = {
      id: 583_747 + orders.length,
      type,
      description: form.description === undefined || state.withoutDescription ? null : String(form.description),
      packageId: String(form.package_id),
      at: clock.now(),
      iccid: String(iccids[0]),
      iccids,
      status: 'completed',
      hasSim: !state.withoutSims,
    };
    orders.push(made);
    return made;
  }

  /** The list has some numbers as text that a new order's answer has as numbers. A refill has no `sims`. */
  function show(made: AiraloOrder, listed: boolean): Record<string, unknown> {
    const { id, type, iccids } = made;
    const quantity = type === 'sim' ? iccids.length : 1;
    return {
      id,
      code: `20250415-${id}`,
      currency: 'USD',
      package_id: made.packageId,
      quantity: listed ? String(quantity) : quantity,
      type,
      description: made.description,
      validity: listed ? '7' : 7,
      price: listed ? '4.00' : 4,
      ...chargeOf(made, listed),
      created_at: timestamp(made.at),
      manual_installation: '<p>…</p>',
      ...(listed ? { status: { name: 'Status', slug: made.status } } : {}),
      ...(type === 'sim' ? { sims: made.hasSim ? iccids.map((iccid) => simView(id, iccid)) : [] } : {}),
    };
  }

  /** Accounts with a discount are told the amount they paid, the others the net price. */
  function chargeOf({ packageId }: AiraloOrder, listed: boolean): Record<string, unknown> {
    const sold = packageOf(state.places, packageId);
    const { model, discount_percentage } = state.pricing;
    const shown = (amount: number) => (listed ? amount.toFixed(2) : amount);
    if (model === 'net_pricing')
      return { pricing_model: model, net_price: shown(state.charges ?? Number(sold?.net_price)) };
    const paid = state.charges ?? (Number(sold?.price) * (100 - discount_percentage)) / 100;
    return { pricing_model: model, discount_percentage, net_price: null, total_amount_paid: shown(paid) };
  }

  function list({ query }: FakeRequest): Reply {
    const like = query.get('filter[description]');
    const include = (query.get('include') ?? '').split(',');
    const shown = orders
      .filter(({ description }) => like === null || description?.includes(like))
      .filter(({ at }) => clock.now() >= at + state.listedAfterMs)
      .reverse()
      .map((one) => Object.entries(show(one, true)))
      .map((all) => all.filter(([name]) => !['sims', 'status'].includes(name) || include.includes(name)))
      .map((some) => Object.fromEntries(some));
    return ok(shown, {
      links: { next: null },
      meta: { message: 'success', current_page: 1, last_page: 1, per_page: '25' },
    });
  }

  function answer(request: FakeRequest): Reply {
    const route = `${request.method} ${request.path}`;
    if (route === 'POST /v2/token') return checked(request, token);
    const [, bearer = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if ((tokens.get(bearer) ?? 0) <= clock.now()) return problem(401, 'Unauthenticated.');
    if (state.addressBlocked) return business(89, 'IP is not on the list', 403);
    if (route === 'GET /v2/packages') return packages(request);
    if (route === 'GET /v2/balance')
      return ok(state.balance === undefined ? [] : { balances: balanceOf(state.balance) });
    if (route === 'POST /v2/orders') return checked(request, order);
    if (route === 'POST /v2/orders/topups') return checked(request, refill);
    if (route === 'GET /v2/orders') return list(request);
    return request.method === 'GET' ? sims.answer(request.path) : notFound;
  }

  return {
    ...(await fakeHttp(answer, tooMany, secured)),
    settings: { clientId, clientSecret },
    orders,
    usages: sims.usages,
    state,
    /** Revokes every token issued so far. */
    revokeTokens: () => tokens.clear(),
  };
}
