/*
 * eSIMs that refill themselves: sets their rules, and buys what a crossing wants (domains/sales/autorefill-rows/ has the rows).
 *
 * A crossing is a due row. The process that claims it looks up the outcome under its idempotency key, or else buys under that key, at a
 * checkout that decides as it does for every purchase: price, limits, money. The row is settled by what became of the order:
 * delivered, it is done; failed or refused, the rule stops and says why; on its way, the row is due again. A process that dies in
 * between leaves the row, and the next one finds the order under the same key. So a crossing buys once.
 *
 * A refusal leaves no order behind: what is missing is found out before one is written. An order that fails at its supplier is
 * refunded like any other, and the rule stops with `product` instead of ordering again.
 */

import { formatCents } from '../../../platform/amounts/cents.ts';
import { type Clock, SECOND } from '../../../platform/clock.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import { type Db, isPassing, type Queryable, type Tx } from '../../../platform/db/database.ts';
import { bound } from '../../../platform/db/replicas.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Budget } from '../../../platform/limits/budget.ts';
import { workOnAll } from '../../../platform/limits/turns.ts';
import type { Log } from '../../../platform/log.ts';
import type { Quote } from '../../catalog/prices/prices.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import { lockWallets, walletTx } from '../../money/ledger/ledger.ts';
import { spenderTerms } from '../../partners/keys/keys.ts';
import {
  autorefillRows,
  type Crossing,
  type RefillRule,
  type RefillTerms,
  refillKey,
  type StopReason,
} from '../autorefill-rows/autorefill-rows.ts';
import type { Esim, Esims } from '../esims/esims.ts';
import { usageMarks } from '../orders/orders.ts';
import type { BuyOutcome, Checkout, Wanted } from '../purchase/purchase.ts';
import { percentUsedOf, publishOnce, type UsageDesk, usageOf } from '../usage/usage.ts';

/** What a partner pays for a plan now. Undefined: there is no such plan. */
interface RefillPrices {
  quote(partnerId: number, productId: string): Promise<Quote | undefined>;
}

/** Who sets a rule, and what bounds the answer. */
interface Setting {
  /** Undefined: a member of the panel. */
  readonly keyId: number | undefined;
  /** The account's time. */
  readonly clock: Clock;
  readonly pricing: RefillPrices;
  readonly budget: Budget | undefined;
}

/** The automatic refills of one world. */
type Autorefills = ReturnType<typeof createAutorefills>;

/** The part of a world they work in. */
interface AutorefillWorld {
  readonly schema: Mode;
  readonly db: Db;
  readonly webhooks: Webhooks;
  readonly esims: Pick<Esims, 'find' | 'mayRefill'>;
  readonly usage: Pick<UsageDesk, 'of'>;
  readonly checkout: Pick<Checkout, 'buy' | 'recorded'>;
  /** What the order of a refill plays, by the script of its eSIM. Nothing in a world without scripts. */
  scriptOf(script: unknown): Pick<Wanted, 'script' | 'eventsAhead'>;
}

const MAX_CLAIM = 16;
/** Longer than a purchase takes. Two processes at one crossing do no harm, because they use the same key. */
const LEASE_MS = 30 * SECOND;
/** When an order on its way is looked at again, or a purchase tried again that could not be decided. */
const AGAIN_MS = 10 * SECOND;

/** What becomes of a crossing. */
type Step = 'delivered' | 'fits' | 'wait' | 'renumber' | 'leave' | { readonly stop: StopReason };

export function createAutorefills(world: AutorefillWorld, { clock, log }: { clock: Clock; log: Log }) {
  const { db, schema, webhooks, esims, checkout } = world;

  async function carryOut(crossing: Crossing, pricing: RefillPrices): Promise<void> {
    const step = await stepOf(crossing, pricing);
    if (step === 'leave') return;
    if (step === 'wait') return void (await autorefillRows.postpone(db, crossing, new Date(clock.now() + AGAIN_MS)));
    if (step === 'fits') return void (await autorefillRows.fits(db, crossing));
    if (step === 'renumber') return void (await autorefillRows.renumber(db, crossing, new Date(clock.now())));
    await db.tx(async (tx) => {
      const rule = await (step === 'delivered'
        ? autorefillRows.delivered(tx, crossing)
        : autorefillRows.stop(tx, crossing, step.stop));
      if (rule && isStopped(rule)) await announce(tx, crossing, rule);
    });
  }

  async function stepOf(crossing: Crossing, pricing: RefillPrices): Promise<Step> {
    const { partnerId, orderId, productId, crossedMb } = crossing;
    if (crossedMb === null) return fitOf(crossing, pricing);
    const target = { productId, refillOf: orderId };
    const recorded = await checkout.recorded(partnerId, refillKey(crossing), target);
    return recorded ? stepAfter(recorded) : buy(crossing, pricing);
  }

  /** The eSIM has taken the rule over from the one it replaces. */
  async function fitOf(crossing: Crossing, pricing: RefillPrices): Promise<Step> {
    const { partnerId, iccid, orderId, productId, done, times, aheadMs } = crossing;
    if (done >= times) return { stop: 'done' };
    const [esim, quote] = await Promise.all([
      esims.find(partnerId, iccid, clock.now() + aheadMs),
      pricing.quote(partnerId, productId),
    ]);
    const isRefill = esim?.orderId === orderId && quote && (await esims.mayRefill(quote.plan, esim));
    return isRefill ? 'fits' : { stop: 'product' };
  }

  async function buy(crossing: Crossing, pricing: RefillPrices): Promise<Step> {
    const { partnerId, iccid, orderId, productId, maxPrice, keyId, version, n, aheadMs } = crossing;
    const time: Clock = { now: () => clock.now() + aheadMs };
    const [esim, quote, spender] = await Promise.all([
      esims.find(partnerId, iccid, time.now()),
      pricing.quote(partnerId, productId),
      spenderTerms(db, crossing, schema),
    ]);
    // An ICCID that its supplier has used again is another eSIM by now.
    if (esim?.orderId !== orderId || !quote || !isSold(quote)) return { stop: 'product' };
    // The new eSIM takes the rule over or, if there will be none, this one goes on.
    if (esim.replacement === 'pending') return 'wait';
    if (!(await esims.mayRefill(quote.plan, esim))) return { stop: 'product' };
    if (!spender.isOpen) return { stop: 'money' };
    const bought = await checkout.buy({
      partnerId,
      ...(keyId !== null && { keyId }),
      plan: quote.plan,
      price: quote.price.partnerPrice,
      isOutdated: quote.isOutdated,
      ceiling: maxPrice,
      limits: spender.limits,
      key: refillKey(crossing),
      reference: esim.reference,
      refillOf: { orderId, iccid, supplierOrder: esim.supplierOrder },
      at: new Date(time.now()),
      clock: time,
      rule: { version, n },
      ...world.scriptOf(esim.script),
    });
    return stepAfter(bought);
  }

  /** Each rule stops at most once. */
  const announce = (tx: Tx, crossing: Crossing, rule: StoppedRule) =>
    publishOnce(
      tx,
      webhooks,
      crossing,
      [{ event: 'esim.autorefill_stopped', occasion: String(crossing.version) }],
      clock.now() + crossing.aheadMs,
      (about) => about.map((event) => ({ ...event, autorefill: { ...rule, maxPrice: formatCents(rule.maxPrice) } })),
    );

  const claim = (on: Queryable, only?: Parameters<typeof autorefillRows.claim>[2]) => {
    const now = clock.now();
    const lease = { now: new Date(now), leasedUntil: new Date(now + LEASE_MS), limit: MAX_CLAIM };
    return autorefillRows.claim(on, lease, only);
  };

  return {
    /** Of the eSIM that an order delivered. Undefined: it has none. */
    ...bound(db, { of: autorefillRows.find }),

    /** Sets the rule of an eSIM in place of the one it has. If its usage is past the mark, the first refill is bought at once. */
    async set(esim: Esim, terms: RefillTerms, { keyId, clock: time, pricing, budget }: Setting) {
      const { partnerId, iccid, orderId } = esim;
      // What is known of it may be old; where its supplier does not answer, that has to do.
      const usage = await world.usage.of(partnerId, iccid, time).catch((error) => {
        if (!isPassing(error)) throw error;
        return undefined;
      });
      const known = usage ?? (esim.reading && usageOf(esim, esim.reading, time.now()));
      const percentUsed = known ? percentUsedOf(known) : undefined;
      const now = new Date(clock.now());
      // Claimed where it is written: a job that claimed it first would still be buying when this answers.
      const crossings = await walletTx(db, partnerId, async (tx) => {
        await lockWallets(tx, [partnerId]);
        await autorefillRows.put(tx, esim, terms, { keyId: keyId ?? null, at: new Date(time.now()) });
        await usageMarks.begin(tx, [orderId], now, 0);
        if (known && percentUsed !== undefined)
          await tx.run(autorefillRows.crossed(orderId, { percentUsed, totalMb: known.totalMb }, now));
        return claim(tx, esim);
      });
      const buying = workOnAll(crossings, (crossing) => carryOut(crossing, pricing)).catch((error) => {
        // The crossing is on record: whatever went wrong here, the job goes on with it.
        log[isPassing(error) ? 'warn' : 'error']({ err: error, iccid }, 'an automatic refill was interrupted');
        return 0;
      });
      await (budget?.within(buying, () => 0) ?? buying);
      return autorefillRows.find(db, esim);
    },

    end: (esim: Pick<Esim, 'partnerId' | 'iccid' | 'orderId'>, at: Date) =>
      walletTx(db, esim.partnerId, async (tx) => {
        await lockWallets(tx, [esim.partnerId]);
        await autorefillRows.end(tx, esim, at);
      }),

    /** Buys what crossings want; returns how many it looked at. */
    buyDue: async (pricing: RefillPrices) => workOnAll(await claim(db), (crossing) => carryOut(crossing, pricing)),
  };
}

type StoppedRule = RefillRule & { readonly stopped: StopReason };
const isStopped = (rule: RefillRule): rule is StoppedRule => rule.stopped !== null;

const isSold = ({ plan, price }: Quote): boolean => plan.onSale && plan.listPrice > 0n && price.partnerPrice > 0n;

function stepAfter(bought: BuyOutcome): Step {
  switch (bought.outcome) {
    case 'bought':
      if (bought.purchase.state === 'delivered') return 'delivered';
      return bought.purchase.state === 'failed' ? { stop: 'product' } : 'wait';
    case 'price_changed':
      return { stop: 'price' };
    case 'limit_exceeded':
      return { stop: 'limit' };
    case 'suspended':
    case 'no_room':
    case 'credit_refused':
      return { stop: 'money' };
    case 'withdrawn':
    case 'esim_gone':
      return { stop: 'product' };
    case 'key_conflict':
      return 'renumber';
    case 'rule_changed':
      return 'leave';
    case 'late':
    case 'outdated':
    case 'not_written':
    case 'charge_in_progress':
    case 'charge_incomplete':
      return 'wait';
  }
}

interface JobWorld {
  readonly schema: Mode;
  readonly autorefills: Pick<Autorefills, 'buyDue'>;
}

/** Buys the refills of eSIMs whose usage has reached their mark. */
export const autorefillJob = ({ autorefills, schema }: JobWorld, { pricing }: { pricing: RefillPrices }): Job => ({
  name: `autorefill ${schema}`,
  everyMs: SECOND,
  run: () => autorefills.buyDue(pricing),
});
