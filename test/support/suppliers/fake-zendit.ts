import { randomBytes } from 'node:crypto';
import { iccidOf } from '../../../src/domains/supply/port/esim.ts';
import { type Clock, DAY } from '../../../src/platform/clock.ts';
import { record } from '../program/app.ts';
import { type FakeRequest, fakeHttp, type Reply } from './fake-http.ts';
import { type ZenditOffer, zenditOffers } from './fake-zendit-offers.ts';

export interface ZenditTransaction {
  readonly transactionId: string;
  readonly offer: ZenditOffer;
  /** The eSIM it refills; undefined: it brings one. */
  readonly refilled: string | undefined;
  readonly at: number;
  /** When it ends. */
  endsAt: number;
  status: 'ACCEPTED' | 'IN_PROGRESS' | 'DONE' | 'FAILED' | 'FAIL';
  error: string | undefined;
  confirmation: Record<string, string>;
  refund: { status: string; error?: string } | undefined;
}

interface ZenditPlan {
  readonly iccid: string;
  readonly offer: ZenditOffer;
  remainingDataGB: number;
  startAt: string | undefined;
  endAt: string | undefined;
  status: 'ACTIVE' | 'QUEUED';
}

interface ZenditEsim {
  readonly purchase: ZenditTransaction;
  plans: ZenditPlan[];
  firstInstalledAt: string | undefined;
}

const ok = (body: unknown): Reply => ({ status: 200, body });
const no = (status: number, errorCode: string, fields?: object): Reply => ({
  status,
  body: { errorCode, message: 'no', ...(fields && { fields }) },
});
const notFound = no(404, 'NOT_FOUND');
const tooMany = no(429, 'RATE_LIMITED');
const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;
const costOf = ({ cost }: ZenditOffer): number => cost.fixed + cost.fee;

/** A stand-in for Zendit's API v1, as strict as what is public of it. A transaction id buys once. */
export async function fakeZendit(clock: Clock) {
  const apiKey = `sand_${randomBytes(20).toString('hex')}`;
  record('secrets', `${apiKey}\n`);
  const transactions = new Map<string, ZenditTransaction>();
  const esims = new Map<string, ZenditEsim>();
  const state = {
    offers: zenditOffers(),
    /** Offers a page has at most, whatever was asked for. */
    mostPerPage: 1_024,
    /** In cents. */
    balance: 100_000,
    /** The wallet is too low although it says otherwise. */
    isShort: false,
    /** How long a transaction takes. */
    readyAfterMs: 0,
    /** How long a transaction cannot be read. */
    knownAfterMs: 0,
    /** The code that transactions fail with. */
    failWith: undefined as string | undefined,
    failed: 'FAILED' as 'FAILED' | 'FAIL',
    /** The status that purchases are answered with. */
    refuseWith: undefined as number | undefined,
    /** The answer to an id that was used before, which is not documented. */
    repeated: 'refused' as 'refused' | 'existing',
    /** What transactions cost, in cents, where that is not what the offer says. */
    charges: undefined as number | undefined,
    /** What a new eSIM's activation data look like. */
    confirmation: {} as Record<string, string>,
    /** Plans that wait have no times. */
    queuedWithoutTimes: false,
    /** How refunds end: not at once, or failed. */
    refunds: 'DONE' as 'DONE' | 'PENDING' | 'FAILED',
  };

  /** Carries out what is due. */
  function settle(): void {
    for (const one of transactions.values()) {
      if (one.status !== 'ACCEPTED' && one.status !== 'IN_PROGRESS') continue;
      if (clock.now() < one.endsAt) one.status = 'IN_PROGRESS';
      else finish(one);
    }
  }

  function finish(one: ZenditTransaction): void {
    const cost = state.charges ?? costOf(one.offer);
    one.error = state.isShort || state.balance < cost ? 'INSUFFICIENT_FUNDS' : state.failWith;
    one.status = one.error === undefined ? 'DONE' : state.failed;
    if (one.error !== undefined) return;
    state.balance -= cost;
    const iccid = one.refilled ?? iccidOf('8910', esims.size + 1);
    const [activationCode, externalReferenceId] = [1, 2].map(() => randomBytes(8).toString('hex').toUpperCase());
    record('secrets', `${activationCode}\n${externalReferenceId}\n`);
    const code = { activationCode: activationCode ?? '', externalReferenceId: externalReferenceId ?? '' };
    one.confirmation = { iccid, smdpAddress: 'rsp.zendit.invalid', ...code, ...state.confirmation };
    const esim = esims.get(iccid) ?? { purchase: one, plans: [], firstInstalledAt: undefined };
    const before = esim.plans.at(-1);
    const end = before?.endAt === undefined ? undefined : Date.parse(before.endAt) + one.offer.durationDays * DAY;
    const times = end !== undefined && !state.queuedWithoutTimes ? { startAt: before?.endAt, endAt: iso(end) } : {};
    const waits = { startAt: undefined, endAt: undefined, ...times, status: 'QUEUED' as const };
    esim.plans.push({ iccid, offer: one.offer, remainingDataGB: one.offer.dataGB, ...waits });
    esims.set(iccid, esim);
  }

  function purchase(form: Record<string, unknown>): Reply {
    const { offerId, transactionId, iccid, ...rest } = form;
    if (typeof offerId !== 'string') return no(400, 'INVALID_REQUEST', { offerId: 'required' });
    if (typeof transactionId !== 'string' || !/^[\w-]{1,40}$/.test(transactionId) || Object.keys(rest).length > 0)
      return no(400, 'INVALID_REQUEST', { transactionId: 'required' });
    if (state.refuseWith !== undefined) return no(state.refuseWith, 'INVALID_REQUEST');
    const accepted = ok({ status: 'ACCEPTED', transactionId });
    if (transactions.has(transactionId))
      return state.repeated === 'existing' ? accepted : no(400, 'INVALID_REQUEST', { transactionId: 'not unique' });
    const offer = state.offers.find((one) => one.offerId === offerId && one.enabled);
    if (!offer) return notFound;
    const refilled = iccid === undefined ? undefined : String(iccid);
    if (refilled !== undefined && !(esims.has(refilled) && esims.get(refilled)?.purchase.refund === undefined))
      return no(400, 'INVALID_REQUEST', { iccid: 'not yours' });
    const at = clock.now();
    const unset = { error: undefined, confirmation: {}, refund: undefined };
    const made = { transactionId, offer, refilled, at, endsAt: at + state.readyAfterMs, ...unset };
    transactions.set(transactionId, { ...made, status: 'ACCEPTED' });
    return accepted;
  }

  function shown(one: ZenditTransaction): object {
    const { transactionId, status, offer, error, confirmation, refund, at } = one;
    const { offerId, productType, priceType, brand, country, regions, dataGB, dataUnlimited, durationDays } = offer;
    const cost = state.charges ?? costOf(offer);
    return {
      ...{ transactionId, status, offerId, productType, priceType, brand, country, regions },
      ...{ dataGB, dataUnlimited, durationDays, roaming: offer.roaming, subTypes: offer.subTypes },
      ...{ cost, costBase: cost, costFee: 0, costCurrency: 'USD', costCurrencyDivisor: 100 },
      ...(status === 'DONE' && { confirmation }),
      ...(error !== undefined && { error: { code: error, description: 'no', message: 'no' } }),
      ...(refund && { refund: { status: refund.status } }),
      ...{ log: [], createdAt: iso(at), updatedAt: iso(clock.now()) },
    };
  }

  function refund(one: ZenditTransaction): Reply {
    if (one.refund) return no(400, 'INVALID_REQUEST');
    const esim = esims.get(one.confirmation.iccid ?? '');
    if (one.status !== 'DONE' || !esim || esim.firstInstalledAt !== undefined) return no(400, 'INVALID_REQUEST');
    one.refund = { status: state.refunds, ...(state.refunds === 'FAILED' && { error: 'NOT_REFUNDABLE' }) };
    if (state.refunds !== 'FAILED') esim.plans = [];
    return ok({ status: 'ACCEPTED' });
  }

  function refundOf({ transactionId, refund: made, offer }: ZenditTransaction): Reply {
    if (!made) return notFound;
    const money = { amount: costOf(offer), currency: 'USD', currencyDivisor: 100 };
    const error = made.error === undefined ? {} : { error: { code: made.error } };
    const ids = { transactionId: `refund-of-${transactionId}`, refundedTransactionId: transactionId };
    return ok({ ...ids, ...money, status: made.status, type: 'REFUND', productType: 'REFUND', ...error, log: [] });
  }

  function plansOf(iccid: string): Reply {
    const esim = esims.get(iccid);
    if (!esim) return notFound;
    const list = esim.plans.map(({ offer, ...plan }) => ({
      ...plan,
      offerId: offer.offerId,
      initialDataGB: offer.dataGB,
      unlimited: offer.dataUnlimited,
    }));
    return ok({ list, total: list.length, firstInstalledAt: esim.firstInstalledAt });
  }

  function offersOf(query: URLSearchParams): Reply {
    const [limit, offset] = [Number(query.get('_limit')), Number(query.get('_offset') ?? Number.NaN)];
    if (!(limit >= 1 && limit <= 1_024 && offset >= 0)) return no(400, 'INVALID_REQUEST', { _limit: 'required' });
    const list = state.offers.slice(offset, offset + Math.min(limit, state.mostPerPage));
    return ok({ limit, offset, total: state.offers.length, list });
  }

  function answer({ method, path, query, headers, body }: FakeRequest): Reply {
    if (headers.authorization !== `Bearer ${apiKey}`) return no(401, 'NOT_AUTHORIZED');
    if (method === 'POST' && headers['content-type'] !== 'application/json') return no(400, 'INVALID_REQUEST');
    settle();
    const [, version, ...parts] = path.split('/').map(decodeURIComponent);
    if (version !== 'v1') return { status: 404, body: { message: 'Not Found' } };
    const [first, second, third, fourth] = parts;
    if (method === 'GET' && path === '/v1/balance')
      return ok({ availableBalance: state.balance, currency: 'USD', currencyDivisor: 100 });
    if (first !== 'esim') return { status: 404, body: { message: 'Not Found' } };
    if (method === 'GET' && second === 'offers' && third === undefined) return offersOf(query);
    if (method === 'GET' && second === 'offers') {
      const offer = state.offers.find((one) => one.offerId === third);
      return offer ? ok(offer) : notFound;
    }
    if (method === 'POST' && second === 'purchases' && third === undefined) return purchase(JSON.parse(body));
    if (second === 'purchases') {
      const one = transactions.get(third ?? '');
      if (!one || clock.now() < one.at + state.knownAfterMs) return notFound;
      if (fourth === 'refund') return method === 'POST' ? refund(one) : refundOf(one);
      return fourth === undefined ? ok(shown(one)) : notFound;
    }
    return method === 'GET' && third === 'plans' ? plansOf(second ?? '') : notFound;
  }

  const { url, ...http } = await fakeHttp(answer, tooMany);
  const settings = { apiKey, url: new URL('/v1', url), matchingIdField: 'activationCode' as const };
  return {
    ...http,
    settings,
    state,
    transactions,
    esims,
    /** Somebody installs the eSIM and uses 24 MB. */
    use(iccid: string): void {
      const esim = esims.get(iccid);
      const [plan] = esim?.plans ?? [];
      if (!esim || !plan) return;
      esim.firstInstalledAt = iso(clock.now());
      plan.status = 'ACTIVE';
      plan.startAt = iso(clock.now());
      plan.endAt = iso(clock.now() + plan.offer.durationDays * DAY);
      plan.remainingDataGB = plan.offer.dataGB - 0.024;
    },
  };
}

export type FakeZendit = Awaited<ReturnType<typeof fakeZendit>>;
