import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../../../src/platform/clock.ts';
import { record } from '../program/app.ts';
import { type EsimGoBundle, esimGoBundles } from './fake-esim-go-bundles.ts';
import { type EsimGoEsim, fakeEsims, nanoseconds, no, ok } from './fake-esim-go-esims.ts';
import { type FakeRequest, fakeHttp, type Reply } from './fake-http.ts';

interface EsimGoOrder {
  readonly orderReference: string;
  readonly bundle: string;
  readonly isRefill: boolean;
  readonly at: number;
  readonly readyAt: number;
  readonly total: number;
  readonly esim: EsimGoEsim;
  sourceIP: string;
}

const tooMany: Reply = { status: 429, body: { message: 'Rate limit exceeded' } };
const FIELDS = ['type', 'assign', 'order'];
const LINE_FIELDS = ['type', 'quantity', 'item', 'iccids', 'allowReassign'];

/** A trial and the order itself are the same call, and so are a trial and a revocation. */
const nameOf = ({ method, path, query, body }: FakeRequest): string => {
  const type = method === 'POST' ? /"type":"(validate|transaction)"/.exec(body)?.[1] : query.get('type');
  return `${method} ${path}${type ? ` ${type}` : ''}`;
};

/** A stand-in for eSIM Go's API v2.5, as strict as its documents. It knows no reference of ours: the same order sent twice is two orders. */
export async function fakeEsimGo(clock: Clock) {
  const key = randomBytes(20).toString('hex');
  record('secrets', `${key}\n`);
  const orders = new Map<string, EsimGoOrder>();
  const state = {
    bundles: esimGoBundles(),
    currency: 'USD',
    balance: 1_000,
    /** How long an order takes. */
    readyAfterMs: 0,
    /** How long an order is missing from the list. */
    listedAfterMs: 0,
    /** The answer to every trial, or to every order. */
    refuseTrials: undefined as Reply | undefined,
    refuseOrders: undefined as Reply | undefined,
    /** Trials say no without an error. */
    invalid: false,
    /** How far ahead its clock is. */
    clockAheadMs: 0,
    /** Where requests seem to come from. */
    sourceIP: '192.0.2.1',
    /** Lists without a name around them. */
    bareLists: false,
    /** At most so many in a page of orders, whatever is request for. */
    ordersPerPage: 1_000,
    /** The reply to an order has no activation data. */
    hidesEsims: false,
    refunds: true,
    /** An eSIM without bundles leaves the account. */
    dropsEmpty: false,
    /** Called for every request; throws for one that must not be carried out, or answered. */
    meet: undefined as ((request: FakeRequest, isDone: boolean) => void) | undefined,
    /** Accepted instead of `key`, too. */
    keys: new Set([key]),
  };
  const store = fakeEsims(clock, state);

  const bundleNamed = (name: unknown): EsimGoBundle | undefined => state.bundles.find((one) => one.name === name);

  function fits(esim: EsimGoEsim, name: string): boolean {
    const [first] = esim.assignments;
    return bundleNamed(name) !== undefined && bundleNamed(first?.name)?.profileName === bundleNamed(name)?.profileName;
  }

  function order({ body, headers }: FakeRequest): Reply {
    if (headers['content-type'] !== 'application/json') return no(400, 'bad request');
    const form = JSON.parse(body) as Record<string, unknown>;
    const [line, ...more] = Array.isArray(form.order) ? (form.order as Record<string, unknown>[]) : [];
    const isUnknown = Object.keys(form).some((field) => !FIELDS.includes(field));
    if (!line || more.length > 0 || isUnknown || form.assign !== true) return no(400, 'bad request');
    if (Object.keys(line).some((field) => !LINE_FIELDS.includes(field))) return no(400, 'bad request');
    if (line.type !== 'bundle' || line.quantity !== 1 || line.allowReassign !== false) return no(400, 'bad request');
    const isTrial = form.type === 'validate';
    if (!isTrial && form.type !== 'transaction') return no(400, 'bad type');
    const refusal = isTrial ? state.refuseTrials : state.refuseOrders;
    if (refusal) return refusal;
    const bundle = bundleNamed(line.item);
    if (!bundle) return no(400, 'bundle not found');
    const iccids = line.iccids as string[] | undefined;
    if (iccids && iccids.length !== 1) return no(400, 'bad request');
    const refilled = iccids && store.esims.get(iccids[0] ?? '');
    if (iccids && !refilled) return store.forbidden;
    if (refilled && (refilled.state !== 'active' || !fits(refilled, bundle.name)))
      return no(400, 'eSIM not compatible');
    if (state.balance < bundle.price) return no(400, 'Insufficient balance to process order');
    return isTrial ? ok(trialOf(bundle)) : ok(shown(take(bundle, refilled), true));
  }

  const lineOf = ({ name, price }: EsimGoBundle) => ({
    type: 'bundle',
    item: name,
    quantity: 1,
    subTotal: price,
    pricePerUnit: price,
    AllowReassign: false,
  });

  const trialOf = (bundle: EsimGoBundle) => ({
    order: [lineOf(bundle)],
    total: bundle.price,
    valid: !state.invalid,
    currency: state.currency,
    createdDate: nanoseconds(clock.now() + state.clockAheadMs),
    assigned: true,
  });

  function take(bundle: EsimGoBundle, refilled?: EsimGoEsim): EsimGoOrder {
    const at = clock.now();
    const esim = refilled ?? store.newEsim();
    const orderReference = randomUUID();
    store.assign(esim, bundle, orderReference, at + state.readyAfterMs);
    state.balance -= bundle.price;
    const made: EsimGoOrder = {
      orderReference,
      bundle: bundle.name,
      isRefill: refilled !== undefined,
      at,
      readyAt: at + state.readyAfterMs,
      total: bundle.price,
      esim,
      sourceIP: state.sourceIP,
    };
    orders.set(orderReference, made);
    return made;
  }

  function shown(made: EsimGoOrder, withEsims: boolean) {
    const { orderReference, bundle, at, total, esim, sourceIP } = made;
    const isReady = clock.now() >= made.readyAt;
    const { iccid, matchingId, smdpAddress } = esim;
    const line = lineOf(bundleNamed(bundle) ?? { name: bundle, price: total });
    const delivered = {
      esims: [state.hidesEsims ? { iccid } : { iccid, matchingId, smdpAddress }],
      iccids: [iccid],
    };
    return {
      order: [{ ...line, ...(isReady && withEsims ? delivered : {}) }],
      total,
      currency: state.currency,
      status: isReady ? 'completed' : 'processing',
      statusMessage: isReady ? 'Order completed: 1 eSIMs assigned' : 'Order is processing',
      orderReference,
      createdDate: nanoseconds(at),
      assigned: true,
      sourceIP,
      runningBalance: state.balance.toFixed(2),
    };
  }

  function list(query: URLSearchParams): Reply {
    const bounds = query.getAll('createdAt').map((bound) => /^(gte|lte):(.+)$/.exec(bound));
    if (bounds.some((bound) => !bound || Number.isNaN(Date.parse(bound[2] ?? '')))) return no(400, 'bad createdAt');
    const isWithin = ({ at }: EsimGoOrder) =>
      bounds.every((bound) =>
        bound?.[1] === 'gte' ? at >= Date.parse(bound[2] ?? '') : at <= Date.parse(bound?.[2] ?? ''),
      );
    const size = Math.min(Number(query.get('limit')), state.ordersPerPage);
    const start = (Number(query.get('page')) - 1) * size;
    const listed = [...orders.values()]
      .filter((one) => clock.now() >= one.at + state.listedAfterMs && isWithin(one))
      .reverse()
      .slice(start, start + size)
      .map((one) => shown(one, query.get('includeIccids') === 'true'));
    return ok(state.bareLists ? listed : { orders: listed });
  }

  function catalogue(query: URLSearchParams): Reply {
    const [page, size] = [Number(query.get('page')), Number(query.get('perPage'))];
    if (size > 50) return no(401, 'unauthorized');
    const bundles = state.bundles.slice((page - 1) * size, page * size);
    return ok(state.bareLists ? bundles : { bundles, pageCount: Math.ceil(state.bundles.length / size) });
  }

  function assignments(reference: string | null, accept: string | undefined): Reply {
    const made = orders.get(reference ?? '');
    if (!made) return no(400, 'unknown reference');
    if (clock.now() < made.readyAt) return no(503, 'still processing');
    if (accept !== 'application/json') return { status: 200, body: 'ICCID,Matching ID' };
    const { iccid, matchingId, smdpAddress, profileStatus } = made.esim;
    const one = { iccid, matchingId, smdpAddress, profileStatus, pin: '0000', puk: '12345678' };
    return ok(state.bareLists ? [one] : one);
  }

  function work(request: FakeRequest): Reply {
    const { method, path, query, headers } = request;
    if (!state.keys.has(String(headers['x-api-key']))) return no(403, 'access denied');
    if (method === 'POST' && path === '/v2.5/orders') return order(request);
    if (method === 'GET' && path === '/v2.5/orders') return list(query);
    if (method === 'GET' && path.startsWith('/v2.5/orders/')) {
      const made = orders.get(path.slice('/v2.5/orders/'.length));
      return made ? ok(shown(made, true)) : no(400, 'unknown reference');
    }
    if (method === 'GET' && path === '/v2.5/catalogue') return catalogue(query);
    if (method === 'GET' && path === '/v2.5/organisation') {
      const { currency, balance } = state;
      const organisation = { name: 'Us', currency, balance, testCredit: 0, apiKey: key };
      return ok(state.bareLists ? { organisations: [organisation] } : organisation);
    }
    if (method === 'GET' && path === '/v2.5/esims/assignments')
      return assignments(query.get('reference'), headers.accept);
    const answer = path.startsWith('/v2.5/esims') ? store.answer(request, fits) : undefined;
    return answer ?? no(404, 'not found');
  }

  function answer(request: FakeRequest): Reply {
    state.meet?.(request, false);
    const reply = work(request);
    state.meet?.(request, true);
    return reply;
  }

  const { url, ...http } = await fakeHttp(answer, tooMany, undefined, nameOf);
  const settings = { key, url: new URL('/v2.5', url) };
  return { ...http, settings, orders, esims: store.esims, state, take, bundleNamed };
}
