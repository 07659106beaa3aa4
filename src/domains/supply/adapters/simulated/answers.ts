import type { Db } from '../../../../platform/db/database.ts';
import { demoImports } from '../../../catalog/catalog.ts';
import type { Behaviour } from './store.ts';
import { iccidOfOrder, type OrderRequest, type RefillRequest, type StoredOrder, simulatedStore } from './store.ts';

/** What the simulated supplier answers, and how badly. */
export interface SimulatedReply {
  readonly status: number;
  readonly body: object;
  readonly behaviour?: Behaviour;
}

export type SimulatedAnswers = (method: string, url: string) => Promise<SimulatedReply>;

const SMDP_ADDRESS = 'rsp.simulated.example';

/** The simulated supplier itself, without a way to reach it: PUT and GET /orders/{reference}, GET /usage/{iccid}, … */
export function simulatedAnswers(db: Db, now: () => number): SimulatedAnswers {
  const store = simulatedStore(db, now);

  /** Everything is stored before it is answered: whatever goes wrong with the answer, only that is lost. */
  async function order(wanted: OrderRequest | RefillRequest): Promise<SimulatedReply> {
    const stored = await ('iccid' in wanted ? store.takeRefill(wanted) : store.take(wanted));
    return { ...answerOf(stored, now()), behaviour: stored.behaviour };
  }

  async function find(reference: string): Promise<SimulatedReply> {
    const stored = await store.find(reference);
    if (!stored) return { status: 404, body: { error: 'unknown reference' } };
    // A plan set to time out also stays silent about its orders. Otherwise the fault would heal within the same request.
    const behaviour = stored.behaviour === 'timeout' ? stored.behaviour : undefined;
    return { ...answerOf(stored, now()), ...(behaviour && { behaviour }) };
  }

  async function usage(iccid: string): Promise<SimulatedReply> {
    const found = await store.usage(iccid);
    if (!found) return { status: 404, body: { error: 'unknown ICCID' } };
    const body = {
      iccid,
      active: found.activatedAt !== null,
      profile: found.activatedAt === null ? 'released' : 'enabled',
      total_mb: found.totalMb,
      used_mb: found.usedMb,
      activated_at: found.activatedAt,
      expires_at: found.expiresAt,
    };
    return { status: 200, body };
  }

  async function withdraw(iccid: string): Promise<SimulatedReply> {
    const stored = await store.withdraw(iccid);
    if (!stored) return { status: 404, body: { error: 'unknown ICCID' } };
    const { withdrawn, behaviour } = stored;
    return { status: withdrawn ? 200 : 409, body: { iccid, state: withdrawn ? 'withdrawn' : 'in use' }, behaviour };
  }

  async function setSuspended(iccid: string, isSuspended: boolean): Promise<SimulatedReply> {
    const stored = await store.setSuspended(iccid, isSuspended);
    if (!stored) return { status: 404, body: { error: 'unknown ICCID' } };
    return { status: 200, body: { iccid, suspended: isSuspended }, behaviour: stored.behaviour };
  }

  /** The demo catalog is what the simulated suppliers sell. */
  async function plans(slug: string): Promise<SimulatedReply> {
    const list = (await demoImports()).find(({ supplier }) => (supplier as { slug: string }).slug === slug);
    return list ? { status: 200, body: list } : { status: 404, body: { error: 'unknown supplier' } };
  }

  return async (method, url) => {
    const [path = '', query] = url.split('?');
    const [, resource, given = ''] = path.split('/');
    const name = decodeURIComponent(given);
    if (resource === 'orders' && method === 'GET') return find(name);
    if (resource === 'plans' && method === 'GET') return plans(name);
    if (resource === 'usage' && method === 'GET') return usage(name);
    if (resource === 'withdrawals' && method === 'PUT') return withdraw(name);
    if (resource === 'suspensions' && (method === 'PUT' || method === 'DELETE'))
      return setSuspended(name, method === 'PUT');
    const wanted = resource === 'orders' && method === 'PUT' && parseOrder(name, query);
    if (wanted) return order(wanted);
    return { status: 400, body: { error: 'malformed request' } };
  };
}

function answerOf(stored: StoredOrder, now: number): SimulatedReply {
  const { reference } = stored;
  if (stored.refused) return { status: 422, body: { reference, state: 'refused', reason: 'plan not available' } };
  const order = `S${stored.id}`;
  if (stored.readyAt.getTime() > now) return { status: 202, body: { reference, state: 'pending', order } };
  if (stored.refillOf !== null)
    return { status: 200, body: { reference, state: 'refilled', order, iccid: stored.refillOf } };
  const esim = { iccid: iccidOfOrder(stored.id), smdp: SMDP_ADDRESS, matching_id: stored.matchingId };
  return { status: 200, body: { reference, state: 'delivered', order, ...esim } };
}

/** With an ICCID it is a refill of that eSIM. */
function parseOrder(reference: string, query: string | undefined): OrderRequest | RefillRequest | undefined {
  const params = new URLSearchParams(query);
  const plan = params.get('plan');
  const amountMb = Number(params.get('amount_mb') ?? Number.NaN);
  const day = Number(params.get('day') ?? Number.NaN);
  if (!reference || !plan || !Number.isInteger(amountMb) || !Number.isInteger(day)) return undefined;
  const iccid = params.get('iccid');
  return { reference, plan, amountMb, day, ...(iccid !== null && { iccid }) };
}
