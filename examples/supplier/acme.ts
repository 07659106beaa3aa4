import { Pool } from 'undici';
import { feedImport, type PlanEntry } from '../../src/domains/catalog/import-format/import-format.ts';
import { reasonOf, uniqueReference } from '../../src/domains/supply/adapters/connection.ts';
import { type Json, listOf, microsOf, numberOf, parseObject, textOf } from '../../src/domains/supply/adapters/loose.ts';
import {
  type Absent,
  type Esim,
  type EsimReference,
  type OrderAnswer,
  type Supplier,
  type SupplierOrder,
  type UsageAnswer,
  usageStates,
} from '../../src/domains/supply/port/port.ts';
import { formatMicros } from '../../src/platform/amounts/cents.ts';
import { parseTimestamp } from '../../src/platform/clock.ts';
import { call } from '../../src/platform/http/call.ts';
import { acceptingInterim } from '../../src/platform/http/interim-responses.ts';

/*
 * The smallest adapter that sells: a template for a supplier with an API of its own, explained in docs/writing-a-supplier.md. Acme is
 * made up. It takes our reference with an order and finds orders by it, delivers at once, and sells no refills.
 */

export interface AcmeSettings {
  readonly key: string;
  readonly url: URL;
}

export function openAcme({ key, url }: AcmeSettings): { supplier(slug: string): Supplier; close(): Promise<void> } {
  // Every call has its own limit, so the pool needs no timers.
  const pool = new Pool(url.origin, {
    connect: acceptingInterim(),
    connections: 32,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const headers = { accept: 'application/json', 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const get = (path: string, limitMs: number) => call(pool, { method: 'GET', path, headers }, limitMs);

  async function order(order: SupplierOrder, limitMs: number): Promise<OrderAnswer> {
    const body = JSON.stringify({ plan: order.plan, reference: uniqueReference(order) });
    const called = await call(pool, { method: 'POST', path: '/orders', headers, body }, limitMs);
    // Without an answer the order may exist, unless the request never left.
    if ('failed' in called) return { outcome: called.sent ? 'unknown' : 'unavailable', ...reasonOf(called) };
    if (called.status === 422) return { outcome: 'refused', reason: 'HTTP 422' };
    if ([401, 402, 403, 429].includes(called.status))
      return { outcome: 'unavailable', reason: `HTTP ${called.status}` };
    if (called.status !== 201) return { outcome: 'unknown', reason: `HTTP ${called.status}` };
    return readOrder(parseObject(called.text), order);
  }

  async function find(order: SupplierOrder, limitMs: number): Promise<OrderAnswer | Absent> {
    const called = await get(`/orders?reference=${encodeURIComponent(uniqueReference(order))}`, limitMs);
    if ('failed' in called) return { outcome: 'unavailable', ...reasonOf(called) };
    const listed = listOf(parseObject(called.text).orders);
    if (called.status !== 200 || !listed) return { outcome: 'unavailable', reason: `HTTP ${called.status}` };
    // Acme lists an order before it answers it. If yours lists them later, answer `unavailable` until it must be there.
    return listed[0] ? readOrder(listed[0], order) : { outcome: 'absent' };
  }

  async function usage({ iccid }: EsimReference, limitMs: number): Promise<UsageAnswer> {
    const called = await get(`/esims/${encodeURIComponent(iccid)}`, limitMs);
    if ('failed' in called) return { outcome: 'unavailable', reason: called.failed };
    if (called.status === 404) return { outcome: 'none' };
    const esim = parseObject(called.text);
    const state = usageStates.find((one) => one === esim.state);
    if (called.status !== 200 || !state) return { outcome: 'unavailable', reason: `HTTP ${called.status}` };
    const timeOf = (at: unknown) => parseTimestamp(textOf(at) ?? '') ?? null;
    const reading = {
      state,
      totalMb: numberOf(esim.total_mb),
      usedMb: Math.round(numberOf(esim.used_mb) ?? 0),
      activatedAt: timeOf(esim.activated_at),
      expiresAt: timeOf(esim.expires_at),
    };
    return { outcome: 'reading', reading };
  }

  return {
    supplier: (slug) => ({
      name: slug,
      sellsRefills: false,
      async plans(signal) {
        const called = await call(pool, { method: 'GET', path: '/plans', headers }, 60_000, {
          maxBytes: 2 ** 25,
          signal,
        });
        const listed = 'status' in called && called.status === 200 ? listOf(parseObject(called.text).plans) : undefined;
        // Part of a list, or none of it, would take plans off sale.
        if (!listed || listed.length === 0) throw new Error('no list');
        // A kind of its own needs a line in src/domains/catalog/import-format/entries.ts.
        return feedImport({ slug, title: 'Acme', kind: 'acme' }, listed.map(planOf), new Map());
      },
      order,
      find,
      usage,
    }),
    close: () => pool.destroy(),
  };
}

function readOrder(made: Json, order: SupplierOrder): OrderAnswer {
  const supplierOrder = textOf(made.id);
  // An answer with another reference belongs to another order, even if it came on our connection.
  if (supplierOrder === null || made.reference !== uniqueReference(order))
    return { outcome: 'unknown', reason: 'not our order' };
  const esim = esimOf(made);
  return esim ? { outcome: 'delivered', supplierOrder, esim } : { outcome: 'pending', supplierOrder };
}

/** Undefined while the profile is incomplete. */
function esimOf(made: Json): Esim | undefined {
  const [iccid, smdpAddress, matchingId] = [textOf(made.iccid), textOf(made.smdp), textOf(made.matching_id)];
  if (iccid === null || smdpAddress === null || matchingId === null) return undefined;
  const nothing = { appleUrl: null, confirmationCode: null, msisdn: null, apn: null, apnType: null, apnValue: null };
  const activationCode = `LPA:1$${smdpAddress}$${matchingId}`;
  return { ...nothing, iccid, smdpAddress, matchingId, activationCode, isRoaming: null };
}

function planOf(plan: Json): PlanEntry {
  const cost = microsOf(plan.cost);
  return {
    code: textOf(plan.code) ?? '',
    destination: textOf(plan.country) ?? '',
    title: textOf(plan.title) ?? '',
    amount: Math.round(numberOf(plan.mb) ?? 0),
    day: Math.round(numberOf(plan.days) ?? 0),
    network_type: '4G',
    // Without a price of its own it is on sale once the supplier has a markup.
    price: '0',
    cost: cost === null ? null : formatMicros(cost),
  };
}
