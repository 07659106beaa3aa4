import type { Clock } from '../../../../platform/clock.ts';
import { openDatabase } from '../../../../platform/db/database.ts';
import { type Callable, type Called, call } from '../../../../platform/http/call.ts';
import type { RawImport } from '../../../catalog/import-format/import-format.ts';
import {
  type Absent,
  esimOf,
  type OrderAnswer,
  profileStates,
  type Supplier,
  type SupplierOrder,
  type SwitchAnswer,
  type UsageAnswer,
  type WithdrawAnswer,
} from '../../port/port.ts';
import { type Account, openPool } from '../connection.ts';
import { parseObject } from '../loose.ts';
import { type SimulatedAnswers, simulatedAnswers } from './answers.ts';
import { simulatedPlan } from './store.ts';

const MAX_CONNECTIONS = 128;
const LIST_MS = 60_000;
const MAX_LIST_BYTES = 64 * 1024 ** 2;

/** The service at an address, behind one connection pool, with all the suppliers it plays. */
export function openSimulated(url: string): Account {
  const pool = openPool(new URL(url), { connections: MAX_CONNECTIONS, pipelining: 1 });
  return { supplier: (slug) => simulatedSupplier(pool, slug), close: () => pool.destroy() };
}

/** The service within this process, on the database at an address. */
export function embeddedSimulated(options: { url: string; clock: Clock }): Account {
  // Its own connections, because it plays a system outside ours. They need not wait for the disk: whatever we make of an answer is
  // committed later in the same database, so a crash never keeps that and undoes what the supplier stored.
  const db = openDatabase({
    url: options.url,
    name: 'simulated supplier',
    searchPath: 'simulated',
    maxConnections: 4,
    waitsForDisk: false,
  });
  const service = withoutConnection(simulatedAnswers(db, () => options.clock.now()));
  return { supplier: (slug) => simulatedSupplier(service, slug), close: () => db.close() };
}

/**
 * Calls the answers directly: every purchase would wait for a connection to ourselves. Faults are those of a connection, except that a
 * second copy of an answer has no way to arrive.
 */
const withoutConnection = (answers: SimulatedAnswers): Callable => ({
  dispatch({ method, path }, handler) {
    const call = {
      aborted: false,
      reason: null,
      paused: false,
      pause() {},
      resume() {},
      abort() {
        call.aborted = true;
      },
    };
    handler.onRequestStart?.(call, undefined);
    if (call.aborted) return true;
    const failed = () => ({ status: 500, body: { error: 'internal' }, behaviour: undefined });
    void answers(method, path)
      .catch(failed)
      .then(({ status, body, behaviour }) => {
        if (call.aborted || behaviour === 'timeout') return;
        const text = Buffer.from(JSON.stringify(body));
        handler.onResponseStart?.(call, status, {});
        handler.onResponseData?.(call, behaviour === 'break' ? text.subarray(0, text.length / 2) : text);
        if (behaviour === 'break')
          handler.onResponseError?.(call, Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }));
        else handler.onResponseEnd?.(call, {});
      });
    return true;
  },
});

function simulatedSupplier(service: Callable, slug: string): Supplier {
  const orders = (reference: string) => `/orders/${encodeURIComponent(reference)}`;

  async function setSuspended(iccid: string, suspended: boolean, limitMs: number): Promise<SwitchAnswer> {
    const path = `/suspensions/${encodeURIComponent(iccid)}`;
    const called = await call(service, { method: suspended ? 'PUT' : 'DELETE', path }, limitMs);
    if ('failed' in called) return { outcome: 'unavailable', reason: called.failed };
    if (called.status === 404) return { outcome: 'refused', reason: 'unknown there' };
    const body = parseObject(called.text);
    const isDone = called.status === 200 && body.iccid === iccid && body.suspended === suspended;
    return isDone ? { outcome: 'done' } : { outcome: 'unavailable', reason: `HTTP ${called.status}` };
  }

  return {
    name: slug,
    sellsRefills: true,
    async plans(signal) {
      const path = `/plans/${encodeURIComponent(slug)}`;
      const called = await call(service, { method: 'GET', path }, LIST_MS, { maxBytes: MAX_LIST_BYTES, signal });
      if ('failed' in called) throw new Error(`cannot read the list of ${slug}: ${called.failed}`);
      if (called.status === 200) return JSON.parse(called.text) as RawImport;
      if (called.status === 404) return undefined;
      throw new Error(`cannot read the list of ${slug}: HTTP ${called.status}`);
    },
    async order(order, limitMs) {
      const plan = encodeURIComponent(simulatedPlan(slug, order.plan));
      const refilled = order.refillOf ? `&iccid=${encodeURIComponent(order.refillOf.iccid)}` : '';
      const path = `${orders(order.reference)}?plan=${plan}&amount_mb=${order.amountMb}&day=${order.day}${refilled}`;
      const answer = readOrder(await call(service, { method: 'PUT', path }, limitMs), order);
      return answer.outcome === 'absent' ? { outcome: 'unknown', reason: 'HTTP 404' } : answer;
    },
    async find(order, limitMs) {
      return readOrder(await call(service, { method: 'GET', path: orders(order.reference) }, limitMs), order);
    },
    async usage({ iccid }, limitMs) {
      const path = `/usage/${encodeURIComponent(iccid)}`;
      return readUsage(await call(service, { method: 'GET', path }, limitMs), iccid);
    },
    async withdraw({ iccid }, limitMs) {
      const path = `/withdrawals/${encodeURIComponent(iccid)}`;
      return readWithdrawal(await call(service, { method: 'PUT', path }, limitMs), iccid);
    },
    suspend: ({ iccid }, limitMs) => setSuspended(iccid, true, limitMs),
    resume: ({ iccid }, limitMs) => setSuspended(iccid, false, limitMs),
  };
}

function readOrder(called: Called, order: SupplierOrder): OrderAnswer | Absent {
  if ('failed' in called)
    return { outcome: called.sent ? 'unknown' : 'unavailable', reason: called.failed, silent: true };
  const { status } = called;
  if (status === 404) return { outcome: 'absent' };
  if (status === 429 || status === 503) return { outcome: 'unavailable', reason: `HTTP ${status}` };
  const body = parseObject(called.text);
  // An answer with another reference belongs to another order, even if it came on our connection.
  if (body.reference !== order.reference) return { outcome: 'unknown', reason: `HTTP ${status}, not our reference` };
  if (body.state === 'refused') return { outcome: 'refused', reason: String(body.reason) };
  if (body.state === 'pending') return { outcome: 'pending', supplierOrder: String(body.order) };
  const { refillOf } = order;
  if (refillOf && body.state === 'refilled' && body.iccid === refillOf.iccid)
    return { outcome: 'refilled', supplierOrder: String(body.order) };
  // Also when our reference belongs to something else there than what we ask for.
  if (refillOf || body.state !== 'delivered')
    return { outcome: 'unknown', reason: `HTTP ${status}, state ${body.state}` };
  const activationCode = `LPA:1$${body.smdp}$${body.matching_id}`;
  const [iccid, smdpAddress, matchingId] = [String(body.iccid), String(body.smdp), String(body.matching_id)];
  const esim = esimOf({ iccid, smdpAddress, matchingId, activationCode, isRoaming: true });
  return { outcome: 'delivered', supplierOrder: String(body.order), esim };
}

function readWithdrawal(called: Called, iccid: string): WithdrawAnswer {
  if ('failed' in called) return { outcome: 'unavailable', reason: called.failed };
  if (called.status === 404) return { outcome: 'refused', reason: 'unknown there' };
  const body = parseObject(called.text);
  if (body.iccid === iccid && called.status === 200) return { outcome: 'withdrawn' };
  if (body.iccid === iccid && called.status === 409) return { outcome: 'refused', reason: String(body.state) };
  return { outcome: 'unavailable', reason: `HTTP ${called.status}` };
}

function readUsage(called: Called, iccid: string): UsageAnswer {
  if ('failed' in called) return { outcome: 'unavailable', reason: called.failed };
  if (called.status === 404) return { outcome: 'none' };
  const body = parseObject(called.text);
  if (called.status !== 200 || body.iccid !== iccid) return { outcome: 'unavailable', reason: `HTTP ${called.status}` };
  const state = profileStates.find((one) => one === body.profile);
  return {
    outcome: 'reading',
    ...(state && { profile: { state } }),
    reading: {
      state: body.active ? 'active' : 'not_active',
      totalMb: Number(body.total_mb),
      usedMb: Number(body.used_mb),
      activatedAt: dateOf(body.activated_at),
      expiresAt: dateOf(body.expires_at),
    },
  };
}

const dateOf = (value: unknown): Date | null => (typeof value === 'string' ? new Date(value) : null);
