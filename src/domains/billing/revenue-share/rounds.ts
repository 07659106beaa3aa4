import { setTimeout as wait } from 'node:timers/promises';
import { type Cents, toCents, ZERO } from '../../../platform/amounts/cents.ts';
import { type Clock, MINUTE, SECOND } from '../../../platform/clock.ts';
import type { Db, Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Wallet } from '../../money/ledger/ledger.ts';
import { shareDue } from '../../sales/orders/orders.ts';
import { type Candidate, dueSales } from './candidates.ts';
import { afterRefund, partOf, shareOf } from './formula.ts';
import { type Chance, isReady, nextCheckAt, type Reading } from './schedule.ts';
import { type Accrual, accrue, partnersToPay, pay, settlements, shadowsOf } from './settle.ts';
import { readTerms, type ShareTerms } from './terms.ts';

interface Preview {
  readonly looked: number;
  /** False: more is due than one round checks, or a supplier was not asked in time; a settlement pays that, too. */
  readonly isWhole: boolean;
  readonly partners: readonly PreviewedPartner[];
}

const MOST_SHARES = 10_000;

type PartnerWallet = Pick<Wallet, 'partnerId' | 'billingMode' | 'outstanding' | 'cash' | 'promo'> & {
  readonly name: string;
};

/** Adds the shares that were just calculated to those that wait, and splits each partner's as `pay` does. */
async function previewOf(
  db: Queryable,
  accruals: readonly Accrual[],
  { looked, isWhole }: Pick<Preview, 'looked' | 'isWhole'>,
): Promise<Preview> {
  const ids = new Set([...(await partnersToPay(db)), ...accruals.map(({ sale }) => sale.partnerId)]);
  const wallets = await db.query<PartnerWallet>(sql`
    select partner_id as "partnerId", partners.name, billing_mode as "billingMode", outstanding, cash, promo
    from wallets join partners on partners.id = partner_id where partner_id = any(${[...ids]}) order by partner_id`);
  const partners: PreviewedPartner[] = [];
  let readsAll = true;
  for (const wallet of wallets) {
    const waiting = await shadowsOf(db, wallet.partnerId, MOST_SHARES);
    if (waiting.length === MOST_SHARES) readsAll = false;
    const known = new Set(waiting.map(({ orderId }) => orderId));
    const added = accruals.filter(({ sale }) => sale.partnerId === wallet.partnerId && !known.has(sale.orderId));
    partners.push(previewed(wallet, [...waiting, ...added]));
  }
  return { looked, isWhole: isWhole && readsAll, partners };
}

export type PreviewedPartner = ReturnType<typeof previewed>;

function previewed(wallet: PartnerWallet, shares: readonly { readonly amount: Cents }[]) {
  const paid = settlements(wallet, shares);
  const sum = (pick: (one: (typeof paid)[number]) => Cents) =>
    toCents(paid.reduce((all: bigint, one) => all + pick(one), ZERO));
  const [toDebt, toWallet] = [sum(({ settleDebt }) => settleDebt), sum(({ settleWallet }) => settleWallet)];
  return {
    partnerId: wallet.partnerId,
    name: wallet.name,
    shares: shares.length,
    amount: toCents(toDebt + toWallet),
    /** How it is paid: what it lowers the debt by, and what goes to the wallet. */
    toDebt,
    toWallet,
    outstandingAfter: toCents(wallet.outstanding - toDebt),
    /** Cash and promo credit. */
    balanceAfter: toCents(wallet.cash + wallet.promo + toWallet),
  };
}

/** Takes readings of these sales' eSIMs. Those without an answer are missing. */
type Ask = (orderIds: readonly bigint[]) => Promise<ReadonlyMap<bigint, Reading>>;
/** How many readings a second a supplier allows; undefined: any number. */
type AllowedPerSecond = (supplier: string) => Promise<number | undefined>;

/** The answer for each sale whose supplier was asked or is known to be silent. The other sales were not reached. */
type Answers = ReadonlyMap<bigint, Reading | undefined>;
export type TakeReadings = (sales: readonly Candidate[], signal?: AbortSignal) => Promise<Answers>;

const ASK_AT_ONCE = 4;
/** Consecutive unanswered readings after which a supplier is skipped for the rest of the round. */
const SILENT_AFTER = 8;

/** Asks all suppliers concurrently, each no faster than it allows and only while it answers. */
export function paced(ask: Ask, allowed: AllowedPerSecond): TakeReadings {
  return async (sales, signal) => {
    const answers = new Map<bigint, Reading | undefined>();

    async function askSupplier(supplier: string, orderIds: readonly bigint[]): Promise<void> {
      const perSecond = (await allowed(supplier)) ?? Number.POSITIVE_INFINITY;
      let unanswered = 0;
      for (let i = 0; i < orderIds.length && !signal?.aborted; i += ASK_AT_ONCE) {
        const some = orderIds.slice(i, i + ASK_AT_ONCE);
        const given = unanswered < SILENT_AFTER ? await ask(some) : new Map<bigint, Reading>();
        for (const orderId of some) answers.set(orderId, given.get(orderId));
        unanswered = given.size > 0 ? 0 : unanswered + some.length;
        const restMs = unanswered < SILENT_AFTER ? (some.length * SECOND) / perSecond : 0;
        if (restMs > 0) await wait(restMs, undefined, signal && { signal }).catch(() => {});
      }
    }

    const bySupplier = Map.groupBy(sales, ({ supplier }) => supplier);
    await Promise.all(
      [...bySupplier].map(([name, its]) =>
        askSupplier(
          name,
          its.map(({ orderId }) => orderId),
        ),
      ),
    );
    return answers;
  };
}

interface Pass {
  readonly looked: number;
  /** Shares calculated: rows that are `shadow` until they are paid. */
  readonly accrued: number;
  /** Shares whose money moved, or that rounded to zero. */
  readonly settled: number;
}

export type RevenueShare = ReturnType<typeof createRevenueShare>;

const AT_ONCE = 200;

export function createRevenueShare(parts: { db: Db; takeReadings: TakeReadings; chance: Chance }) {
  const { db, takeReadings, chance } = parts;

  /** Looks at the sales that are due and calculates the shares of those that are ready. Writes nothing. */
  async function weigh(now: number, signal?: AbortSignal) {
    const terms = await readTerms(db);
    const due = await dueSales(db, new Date(now), AT_ONCE);
    // Suppliers are asked before anything is written, outside any transaction.
    const answers = await takeReadings(due, signal);
    const sales = due
      .filter(({ orderId }) => answers.has(orderId))
      .map((sale): Candidate => {
        const answer = answers.get(sale.orderId);
        return answer ? { ...sale, reading: { ...answer, fetchedAt: new Date(now) } } : sale;
      });
    const accruals: Accrual[] = [];
    const later: { orderId: bigint; at: number }[] = [];
    for (const sale of sales) {
      const accrual = accrualOf(sale, terms, now);
      if (accrual) accruals.push(accrual);
      else later.push({ orderId: sale.orderId, at: nextCheckAt(sale, now, terms.graceDays, chance) });
    }
    return { due, sales, accruals, later };
  }

  async function look(now: number, signal?: AbortSignal): Promise<{ looked: number; accrued: number }> {
    const { sales, accruals, later } = await weigh(now, signal);
    const accrued = await accrue(db, accruals, new Date(now));
    await shareDue.postpone(db, later);
    return { looked: sales.length, accrued };
  }

  async function pass(now: number, signal?: AbortSignal): Promise<Pass> {
    const { looked, accrued } = await look(now, signal);
    let settled = 0;
    for (const partnerId of await partnersToPay(db)) settled += await pay(db, partnerId, new Date(now));
    return { looked, accrued, settled };
  }

  return {
    /** One bounded round: look at what is due, calculate what is ready, pay what is calculated. */
    pass,
    /** What `settle` would do now, as far as one round looks. Asks the suppliers as it does, and pays nothing. */
    async preview(now: number, signal?: AbortSignal): Promise<Preview> {
      const { due, sales, accruals } = await weigh(now, signal);
      const isWhole = due.length < AT_ONCE && sales.length === due.length;
      return previewOf(db, accruals, { looked: sales.length, isWhole });
    },
    /** Rounds until nothing is due at `now`. */
    async settle(now: number): Promise<Pass> {
      const total = { looked: 0, accrued: 0, settled: 0 };
      for (;;) {
        const { looked, accrued, settled } = await pass(now);
        total.looked += looked;
        total.accrued += accrued;
        total.settled += settled;
        if (looked === 0 && settled === 0) return total;
      }
    },
  };
}

/** The share of a sale if all its conditions hold at `now`; undefined: not yet, and the sale stays a candidate. */
function accrualOf(sale: Candidate, terms: ShareTerms, now: number): Accrual | undefined {
  const { reading } = sale;
  if (!reading || sale.isVoid || sale.refunded >= sale.salePrice || !isReady(reading, now, terms.graceDays))
    return undefined;
  const { planMb, usedMb } = partOf(sale, reading);
  const rates = { sharePct: sale.sharePct, totalShareCapPct: terms.totalShareCapPct };
  const share = shareOf({ ...sale, planMb, usedMb }, rates);
  if (!share) return undefined;
  const amount = afterRefund(share.amount, sale.salePrice, sale.refunded);
  return { sale, planMb, usedMb, share, amount };
}

/** Keeps the readings of sold eSIMs current and settles the shares that have come due. */
export function revenueShareJob(revenueShare: Pick<RevenueShare, 'pass'>, clock: Clock): Job {
  return {
    name: 'revenue-share',
    everyMs: MINUTE,
    async run(signal) {
      const { looked, settled } = await revenueShare.pass(clock.now(), signal);
      return looked + settled;
    },
  };
}
