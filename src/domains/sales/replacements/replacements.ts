/*
 * Replacements of eSIMs, one row each in `esim_replacements`.
 *
 *     request ──► pending ──► replaced          within the operator's budget, or approved by the operator
 *        │           └──────► requested         the order of the new eSIM failed
 *        └──► requested ──► pending | rejected  the operator decides
 *
 * A replacement is an order of the same plan for nothing. It is written with the row, in one transaction that holds the partner's wallet
 * (open.ts, place.ts), and from then on provisioning gets it delivered like any other: with retries, other suppliers, held orders and
 * all. A second transaction records its outcome (`settle`): the event, the operator's cost and the due time of the old eSIM, which is
 * withdrawn or suspended last (take-back.ts). A process that dies in between leaves a row that the job finds: `pending` with an order
 * that has an outcome, or with a due time.
 *
 * The order moves no money. What it costs is the operator's, like the cost of any order; the row keeps it, and the proof of the ledger
 * holds both against each other (domains/money/proof/passes.ts).
 */

import type { Micros } from '../../../platform/amounts/cents.ts';
import { type Clock, SECOND } from '../../../platform/clock.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { ReplacementValues } from '../../../platform/contract/resources.ts';
import { isPassing, type Tx } from '../../../platform/db/database.ts';
import { accountTime, accountTimeOf } from '../../../platform/db/query/account-time.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { bound, type Readers } from '../../../platform/db/replicas.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Budget } from '../../../platform/limits/budget.ts';
import { workOnAll } from '../../../platform/limits/turns.ts';
import type { Services } from '../../../platform/start/services.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import { lockWallets, type Wallet, walletTx } from '../../money/ledger/ledger.ts';
import { autorefillRows } from '../autorefill-rows/autorefill-rows.ts';
import type { Esims } from '../esims/esims.ts';
import { shareDue, usageMarks } from '../orders/orders.ts';
import type { Provisioning, paidOrderOf } from '../purchase/purchase.ts';
import { supplierWithdrawals, type WithdrawalWorld } from '../refunds/refunds.ts';
import type { UsageDesk } from '../usage/usage.ts';
import type { NotReplaceable, ReplacementStatus } from './eligibility.ts';
import { factsOf, ofKey, openReplacement, type ReplacementTerms, type ReplaceRequest } from './open.ts';
import { placeReplacement, planOf } from './place.ts';
import { budgetUse, listReplacements, type Replacement, replacementRows } from './rows.ts';
import { type OldEsimSuspensions, takeBackDue } from './take-back.ts';

export { replacementStatuses, whyNotReplaceable } from './eligibility.ts';
export { forgetReplacements, type Replacement, replacementAlerts } from './rows.ts';

type ReplaceOutcome =
  /** There is a replacement: a new one, or the one on record. */
  | { readonly outcome: 'replacement'; readonly replacement: ReplacementValues }
  | { readonly outcome: 'not_found' }
  | { readonly outcome: 'not_replaceable'; readonly why: NotReplaceable }
  /** The key was used for another eSIM before. */
  | { readonly outcome: 'key_conflict' };

/** The replacements of one world. */
export type Replacements = ReturnType<typeof createReplacements>;

interface Decision {
  readonly oldOrderId: bigint;
  readonly at: Date;
}

/** The part of a world replacements work in. */
interface ReplacementWorld extends Readers, WithdrawalWorld {
  readonly webhooks: Webhooks;
  readonly esims: Pick<Esims, 'find'>;
  readonly usage: Pick<UsageDesk, 'of'>;
  readonly suspensions: OldEsimSuspensions;
  readonly provisioning: Pick<Provisioning, 'firstDueAt' | 'provision'>;
  /** Brings these orders up to date before they are read. */
  beforeRead(partnerId: number, orderIds: readonly bigint[]): Promise<number>;
  readonly scriptOf: ReplacementTerms['scriptOf'];
}

interface ReplacementOptions extends Pick<Services, 'clock' | 'log'> {
  /** How long a supplier may take to answer. */
  readonly budgetMs: number;
}

/** How long after that another process may ask. */
const LEASE_MARGIN_MS = 5 * SECOND;
const MAX_SETTLED = 64;

type PaidOrder = ReturnType<typeof paidOrderOf>;

export function createReplacements(world: ReplacementWorld, { clock, log, budgetMs }: ReplacementOptions) {
  const { db, reads, webhooks, provisioning } = world;
  const terms: ReplacementTerms = { webhooks, firstDueAt: provisioning.firstDueAt, scriptOf: world.scriptOf };
  const leasedUntil = () => new Date(clock.now() + budgetMs + LEASE_MARGIN_MS);
  const ask = supplierWithdrawals(world, { clock, log, limitMs: budgetMs });
  const takeBack = { db, clock, log, ask, leasedUntil, esims: world.esims, suspensions: world.suspensions };
  /** Requests this process is answering right now: however many send the same key, one of them acts. */
  const running = new Map<string, Promise<ReplaceOutcome>>();

  type Wanted = ReplaceRequest & { readonly clock?: Clock; readonly budget?: Budget | undefined };

  async function request(wanted: Wanted): Promise<ReplaceOutcome> {
    const { partnerId, key, budget } = wanted;
    const known = await replacementRows.byKey(db, partnerId, key);
    const opened = known ? ofKey(known, wanted) : await open(wanted);
    if (opened.outcome === 'on_record') return answered(await upToDate(opened.replacement));
    if (opened.outcome !== 'placed') return opened;
    const { replacement, order } = opened;
    const delivering = deliver(wanted, replacement, order);
    return answered(await (budget?.within(delivering, () => replacement) ?? delivering));
  }

  async function open(wanted: Wanted): ReturnType<typeof openReplacement> {
    const { partnerId, iccid, at, clock: time = { now: () => at.getTime() } } = wanted;
    // What is known of it may be old; where its supplier does not answer, that has to do.
    await world.usage.of(partnerId, iccid, time).catch((error) => {
      if (!isPassing(error)) throw error;
    });
    const esim = await world.esims.find(partnerId, iccid, at.getTime());
    if (!esim) return { outcome: 'not_found' };
    return walletTx(db, partnerId, (tx) => openReplacement(tx, terms, wanted, esim));
  }

  /** The first try, by the request that placed the order. */
  async function deliver({ routes, clock: time }: Wanted, placed: Replacement, order: PaidOrder): Promise<Replacement> {
    if (!routes) return placed;
    try {
      await provisioning.provision(order, time, routes);
      return await upToDate(placed);
    } catch (error) {
      // It is on record: whatever went wrong here, the jobs finish it.
      log[isPassing(error) ? 'warn' : 'error'](
        { err: error, orderId: order.id.toString() },
        'a replacement was interrupted; the job takes over',
      );
      return placed;
    }
  }

  /** As it stands, once the outcome of its order is recorded. */
  async function upToDate(replacement: Replacement): Promise<Replacement> {
    const { id, partnerId, orderId, status } = replacement;
    if (status !== 'pending' || orderId === null) return replacement;
    await world.beforeRead(partnerId, [orderId]);
    const isReplaced = await walletTx(db, partnerId, (tx) => settle(tx, replacement));
    if (isReplaced) await takeBackDue(takeBack, id);
    return (await replacementRows.byId(db, id)) ?? replacement;
  }

  /** Records what became of the order, if that is certain. True: the new eSIM is delivered. */
  async function settle(tx: Tx, { id, partnerId }: Pick<Replacement, 'id' | 'partnerId'>): Promise<boolean> {
    await lockWallets(tx, [partnerId]);
    const found = await tx.maybe<Placed>(sql`
      select r.order_id as "orderId", r.old_order_id as "oldOrderId", r.old_iccid as "oldIccid", placed.iccid, placed.reference,
        placed.status, placed.cancel_due_at is not null as "isHandedBack", coalesce(placed.cancel_status = 'cancelled', false) as "isCancelled",
        placed.is_quiet as "isQuiet", coalesce(placed.charged_micros, placed.cost_micros) as cost,
        (select count(*)::int from esim_replacements earlier where earlier.old_iccid = r.old_iccid and earlier.status = 'replaced') as earlier,
        ${accountTime(clock.now(), sql`r.partner_id`)} as at
      from esim_replacements r join orders placed on placed.id = r.order_id
      where r.id = ${id} and r.status = 'pending' for update of r`);
    if (!found || found.isHandedBack || (found.status !== DELIVERED && found.status !== FAILED)) return false;
    const { at } = found;
    if (found.isCancelled) {
      // Its partner cancelled the order, so the old eSIM stays.
      await tx.run(sql`update esim_replacements set status = 'rejected', decided_at = ${at} where id = ${id}`);
      return false;
    }
    if (found.status === FAILED) {
      await tx.run(sql`
        update esim_replacements set status = 'requested', order_id = null, placed_at = null, decided_at = null where id = ${id}`);
      return false;
    }
    await tx.run(sql`
      with closed as (${shareDue.close([found.oldOrderId])})
      update esim_replacements set status = 'replaced', replaced_at = ${at}, cost_micros = ${found.cost},
        due_at = ${new Date(clock.now())} where id = ${id}`);
    const from = { partnerId, orderId: found.oldOrderId, iccid: found.oldIccid };
    const to = { partnerId, orderId: found.orderId, iccid: found.iccid };
    const now = new Date(clock.now());
    if (await autorefillRows.takeOver(tx, { from, to }, { at, now })) await usageMarks.begin(tx, [to.orderId], now, 0);
    if (!found.isQuiet) await announce(tx, partnerId, found);
    return true;
  }

  const announce = (tx: Tx, partnerId: number, of: Placed) =>
    webhooks.publish(tx, [
      {
        event: 'esim.replaced',
        partnerId,
        orderId: of.oldOrderId,
        reference: of.reference,
        iccid: of.oldIccid,
        replacement: { status: 'replaced', orderId: of.orderId, iccid: of.iccid, oldIccid: of.oldIccid },
        n: of.earlier + 1,
        occurredAt: of.at.getTime(),
      },
    ]);

  async function settleDue(): Promise<number> {
    const due = await replacementRows.toSettle(db, MAX_SETTLED);
    return workOnAll(due, (row) => walletTx(db, row.partnerId, (tx) => settle(tx, row)));
  }

  return {
    request(wanted: Wanted): Promise<ReplaceOutcome> {
      const name = `${wanted.partnerId} ${wanted.iccid} ${wanted.key}`;
      const answer = running.get(name) ?? request(wanted).finally(() => running.delete(name));
      running.set(name, answer);
      return answer;
    },
    /** `ofOrder`: the latest one of an old order. `behind`: the one an order was placed for. Undefined: there is none. */
    ...bound(db, { ofOrder: replacementRows.ofOld, behind: replacementRows.ofNew }),
    ...bound(reads, { list: listReplacements }),
    /** A partner's budget in the month of its own time, and what was spent of it. */
    budgetOf: async (partnerId: number) => budgetUse(db, partnerId, await accountTimeOf(db, clock.now(), partnerId)),

    /** What a new eSIM for an old order is expected to cost; null: not known, or its plan is no longer in the catalog. */
    costOf: async (oldOrderId: bigint) => (await planOf(db, oldOrderId))?.plan.cost ?? null,

    /** Decisions of the operator, on the owner's connection and with the wallet locked. */
    async approve(tx: Tx, wallet: Wallet, { oldOrderId, at }: Decision): Promise<Replacement> {
      const row = await requireUndecided(tx, oldOrderId, ['requested', 'rejected']);
      const facts = await factsOf(tx, oldOrderId);
      if (!facts) throw new Refused('order_not_found');
      if (facts.isRefunded)
        throw new Refused('replacement_not_possible', `order ${oldOrderId} was refunded, or is being refunded`);
      const sold = await planOf(tx, oldOrderId);
      if (!sold?.isOnSale)
        throw new Refused('replacement_not_possible', `the plan of order ${oldOrderId} is not on sale`);
      const { price, reference, script } = facts;
      const placement = { replacementId: row.id, partnerId: row.partnerId, plan: sold.plan, price, reference };
      await placeReplacement(tx, terms, wallet, { ...placement, ...terms.scriptOf(script), dueAt: at, at });
      return requireUndecided(tx, oldOrderId, ['pending']);
    },

    async reject(tx: Tx, { oldOrderId, at }: Decision): Promise<Replacement> {
      const { id } = await requireUndecided(tx, oldOrderId, ['requested']);
      await tx.run(sql`update esim_replacements set status = 'rejected', decided_at = ${at} where id = ${id}`);
      return requireUndecided(tx, oldOrderId, ['rejected']);
    },

    /** Records what became of placed orders, and asks for old eSIMs; returns how many. */
    goOn: async () => (await settleDue()) + (await takeBackDue(takeBack)),
  };
}

/** Of an order's status. */
const [DELIVERED, FAILED] = [1, 2];

interface Placed {
  readonly orderId: bigint;
  readonly oldOrderId: bigint;
  readonly oldIccid: string;
  readonly iccid: string;
  readonly reference: string;
  readonly status: number;
  readonly isHandedBack: boolean;
  readonly isCancelled: boolean;
  readonly isQuiet: boolean;
  readonly cost: Micros;
  readonly earlier: number;
  readonly at: Date;
}

async function requireUndecided(
  tx: Tx,
  oldOrderId: bigint,
  statuses: readonly ReplacementStatus[],
): Promise<Replacement> {
  const row = await replacementRows.ofOld(tx, oldOrderId);
  if (!row)
    throw new Refused('replacement_not_found', `no replacement of the eSIM of order ${oldOrderId} was requested`);
  if (!statuses.includes(row.status))
    throw new Refused('replacement_decided', `the replacement of order ${oldOrderId} is ${row.status} already`);
  return row;
}

const answered = ({ status, orderId, iccid, oldIccid }: Replacement): ReplaceOutcome => ({
  outcome: 'replacement',
  replacement: { status, orderId, iccid, oldIccid },
});

interface JobWorld {
  readonly schema: Mode;
  readonly replacements: Pick<Replacements, 'goOn'>;
}

/** Finishes replacements that no request is waiting for any more. */
export const replacementJob = ({ replacements, schema }: JobWorld): Job => ({
  name: `replace ${schema}`,
  everyMs: SECOND,
  run: () => replacements.goOn(),
});
