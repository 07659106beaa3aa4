import { createHmac, randomBytes } from 'node:crypto';
import { iccidOf } from '../../../src/domains/supply/port/esim.ts';
import { type Clock, MINUTE } from '../../../src/platform/clock.ts';
import { record } from '../program/app.ts';
import { no, ok } from './fake-esim-access-answers.ts';
import { type EsimAccessProfile, fakeLater } from './fake-esim-access-later.ts';
import { type EsimAccessPackage, esimAccessPackages, esimAccessRefills } from './fake-esim-access-packages.ts';
import { type FakeRequest, fakeHttp, type Reply } from './fake-http.ts';

interface EsimAccessOrder {
  readonly orderNo: string;
  readonly transactionId: string;
  readonly packageCode: string;
  readonly at: number;
  /** When its profile is ready. */
  readyAt: number;
  readonly profile: EsimAccessProfile;
  /** How often it was ordered. */
  times: number;
}

const tooMany: Reply = { status: 429, body: { message: 'Too many requests' } };

/** A stand-in for eSIM Access API v1, as strict as its documents. One transaction id is one order, however often it is sent. */
export async function fakeEsimAccess(clock: Clock) {
  const accessCode = randomBytes(8).toString('hex');
  const secret = randomBytes(20).toString('hex');
  record('secrets', `${secret}\n`);
  const orders = new Map<string, EsimAccessOrder>();
  const state = {
    packages: esimAccessPackages(),
    refills: esimAccessRefills(),
    locations: [
      { code: 'JP', name: 'Japan', type: 1 },
      { code: 'AF-29', name: 'Africa (29 areas)', type: 2 },
      { code: 'SGMYTH-3', name: 'Singapore, Malaysia & Thailand', type: 2 },
    ],
    /** How long a profile takes. */
    readyAfterMs: 0,
    /** How long queries do not know a new order's number. */
    knownAfterMs: 0,
    /** The code that every order is answered with. */
    refuseWith: undefined as string | number | undefined,
    /** What the account has left, in ten-thousandths of a dollar. */
    balance: 100_000,
    /** What orders cost, where that is not what the list says. */
    charges: undefined as number | undefined,
    /** The code that every list of refills is answered with. */
    refillListCode: undefined as string | undefined,
    /** Answers a refill under this transaction id, as if the answer were another call's. */
    answersAs: undefined as string | undefined,
    /** Accepts a cancellation that the profile does not show yet. */
    cancelsLate: false,
    /** Usage as a bare list. */
    bareUsage: false,
  };

  /** The code of what is wrong with the headers; undefined: nothing. */
  function refusalOf({ headers, body }: FakeRequest): string | undefined {
    const given = ['rt-accesscode', 'rt-timestamp', 'rt-requestid', 'rt-signature'].map((name) => headers[name]);
    const [code, timestamp, requestId, signature] = given as string[];
    if (given.includes(undefined)) return '000101';
    if (!/^\d{13}$/.test(timestamp ?? '') || headers['content-type'] !== 'application/json') return '000102';
    if (Math.abs(Number(timestamp) - clock.now()) > 5 * MINUTE) return '101001';
    const right = createHmac('sha256', secret).update(`${timestamp}${requestId}${accessCode}${body}`).digest('hex');
    return code === accessCode && signature === right ? undefined : '101003';
  }

  function order(payload: Record<string, unknown>): Reply {
    const { transactionId, amount, packageInfoList } = payload;
    if (typeof transactionId !== 'string' || !Array.isArray(packageInfoList)) return no('000105');
    if (transactionId.length > 50) return no('000107');
    if (state.refuseWith !== undefined) return no(state.refuseWith);
    const before = orders.get(transactionId);
    if (before) {
      before.times += 1;
      return ok({ orderNo: before.orderNo });
    }
    const [{ packageCode, count, price, periodNum }] = packageInfoList as [Record<string, unknown>];
    const sold = state.packages.find((one) => one.packageCode === packageCode || one.slug === packageCode);
    if (!sold) return no('310241');
    const isByTheDay = sold.dataType !== 1;
    if (count !== 1 || isByTheDay !== Number.isInteger(periodNum)) return no('200008');
    const total = (sold.price ?? 0) * (isByTheDay ? Number(periodNum) : 1);
    // Which price an order by the day may name is not documented, so it had better name none.
    if (price !== undefined && (isByTheDay || price !== sold.price)) return no('200005');
    if (amount !== undefined && amount !== total) return no('200006');
    const made = newOrder(transactionId, sold, total);
    orders.set(transactionId, made);
    return ok({ orderNo: made.orderNo });
  }

  function newOrder(transactionId: string, sold: EsimAccessPackage, total: number): EsimAccessOrder {
    const { packageCode, volume, duration, slug, dataType } = sold;
    const n = orders.size + 1;
    const orderNo = `B2210201007${String(n).padStart(4, '0')}`;
    const ac = `LPA:1$rsp-eu.redteamobile.com$${randomBytes(8).toString('hex').toUpperCase()}`;
    record('secrets', `${ac}\n`);
    const esimTranNo = `2210270638${String(n).padStart(4, '0')}`;
    const profile = {
      esimTranNo,
      orderNo,
      transactionId,
      iccid: iccidOf('8985', n),
      ac,
      qrCodeUrl: 'https://p.qrsim.invalid/x.png',
      smdpStatus: 'RELEASED',
      esimStatus: 'GOT_RESOURCE',
      activateTime: null,
      // Before activation: the last date to activate.
      expiredTime: '2030-07-30T00:00:00+0000',
      totalVolume: volume,
      totalDuration: duration,
      durationUnit: 'DAY',
      dataType,
      orderUsage: 0,
      msisdn: '',
      packageList: [{ packageCode, slug, duration, volume, esimTranNo, transactionId, price: state.charges ?? total }],
    };
    const at = clock.now();
    return { orderNo, transactionId, packageCode, at, readyAt: at + state.readyAfterMs, profile, times: 1 };
  }

  function query(payload: Record<string, unknown>): Reply {
    const { orderNo, iccid, esimTranNo, startTime, endTime } = payload;
    const { pageNum, pageSize } = (payload.pager ?? {}) as { pageNum?: number; pageSize?: number };
    if (!pageNum || !pageSize) return no('000105');
    if (pageSize < 5 || pageSize > 500) return no('000107');
    const now = clock.now();
    const known = [...orders.values()].filter(({ at }) => now >= at + state.knownAfterMs);
    const isReady = ({ readyAt }: EsimAccessOrder) => now >= readyAt;
    const page = (found: readonly EsimAccessOrder[]) =>
      ok({
        esimList: found.slice((pageNum - 1) * pageSize, pageNum * pageSize).map(({ profile }) => profile),
        pager: { pageNum, pageSize, total: found.length },
      });
    if (orderNo !== undefined) {
      const found = known.find((one) => one.orderNo === orderNo);
      if (!found) return no('310272');
      return isReady(found)
        ? page([found])
        : no('200010', 'the batchOrder has been getting resource, total:[1], success:[0]');
    }
    if (iccid !== undefined || esimTranNo !== undefined) {
      const found = known.filter(({ profile }) => profile.iccid === iccid || profile.esimTranNo === esimTranNo);
      return found.length > 0 ? page(found.filter(isReady)) : no('310403');
    }
    const from = Date.parse(String(startTime));
    const to = Date.parse(String(endTime));
    if (Number.isNaN(from) || Number.isNaN(to)) return no('000105');
    return page(known.filter((one) => isReady(one) && one.at >= from && one.at <= to));
  }

  function usage({ esimTranNoList }: Record<string, unknown>): Reply {
    if (!Array.isArray(esimTranNoList) || esimTranNoList.length < 1 || esimTranNoList.length > 10) return no('000105');
    const list = [...orders.values()]
      .filter(({ profile }) => esimTranNoList.includes(profile.esimTranNo))
      .map(({ profile }) => ({
        esimTranNo: profile.esimTranNo,
        dataUsage: profile.dataUsage,
        totalData: profile.totalVolume,
      }));
    return ok(state.bareUsage ? list : { esimUsageList: list });
  }

  const later = fakeLater(
    clock,
    () => [...orders.values()].map(({ profile }) => profile),
    () => state.refills,
  );

  /** Refills are listed for one package, and are those of its area. */
  function packageList({ type, packageCode }: Record<string, unknown>): Reply {
    if (type === 'BASE') return ok({ packageList: state.packages });
    if (type !== 'TOPUP' || packageCode === undefined) return no('000105');
    if (state.refillListCode !== undefined) return no(state.refillListCode);
    const base = state.packages.find((one) => one.packageCode === packageCode);
    if (!base) return no('310241');
    const isRefillable = base.supportTopUpType === 2;
    return ok({ packageList: isRefillable ? state.refills.filter(({ location }) => location === base.location) : [] });
  }

  function answer(request: FakeRequest): Reply {
    const refusal = refusalOf(request);
    if (refusal) return no(refusal);
    if (request.method !== 'POST') return no('000103');
    const payload = JSON.parse(request.body) as Record<string, unknown>;
    switch (request.path) {
      case '/api/v1/open/package/list':
        return packageList(payload);
      case '/api/v1/open/location/list':
        return ok({ locationList: state.locations });
      case '/api/v1/open/esim/order':
        return order(payload);
      case '/api/v1/open/esim/query':
        return query(payload);
      case '/api/v1/open/esim/topup':
        return state.refuseWith === undefined ? later.refill(payload, state.answersAs) : no(state.refuseWith);
      case '/api/v1/open/esim/cancel':
        return state.cancelsLate ? ok({}) : later.cancel(payload);
      case '/api/v1/open/esim/suspend':
      case '/api/v1/open/esim/unsuspend':
        return state.refuseWith === undefined
          ? later.setService(payload, request.path.endsWith('/suspend'))
          : no(state.refuseWith);
      case '/api/v1/open/balance/query':
        return ok({ balance: state.balance });
      case '/api/v1/open/esim/usage/query':
        return usage(payload);
      default:
        return { status: 404, body: {} };
    }
  }

  const { url, ...http } = await fakeHttp(answer, tooMany);
  const settings = { accessCode, secret, url: new URL('/api/v1/open', url) };
  return { ...http, settings, orders, refills: later.refills, state };
}
