import {
  type Cents,
  centsToMicros,
  divideHalfUp,
  formatCents,
  microsToCentsHalfUp,
  toCents,
  toMicros,
} from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { Slices } from '../../../platform/limits/turns.ts';
import { isSellable, type Plan } from '../catalog.ts';
import { isAllowedPrice, lowestFixedPrice } from './formula.ts';
import { type GeneralTerms, partnerTerms, readGeneralTerms, windowStart } from './partner-prices.ts';
import { type ChangeInput, type PlannedChange, planChange } from './planned-change.ts';
import { Differences } from './price-differences.ts';
import { type NamedPartnerRow, readPartners } from './read.ts';
import { isSamePrices, settledPrice, type Terms } from './rules.ts';

/** What a change of prices would do, shown to people before they make it. Only plans on sale and open partners count. */
export type PricePreview = NonNullable<Awaited<ReturnType<typeof previewPrices>>>;

/** Partners per statement. */
const PAGE = 250;
/** Plans compared, over all groups of partners: a person waits for the answer. */
const MOST_COMPARED = 1_000_000;

/** Partners that have the same prices before, and the same prices after. */
interface Group {
  readonly partners: NamedPartnerRow[];
  readonly before: Terms;
  readonly after: Terms;
}

/**
 * Prices every plan the change can concern twice, with the terms as they are and as they would be, by the code that prices
 * purchases. Partners with equal terms are priced once, the largest groups first. Undefined: what the change names does not exist.
 */
export async function previewPrices(
  db: Queryable,
  plans: readonly Plan[],
  wanted: ChangeInput,
  { now, slices, sold }: { readonly now: number; readonly slices: Slices; readonly sold: readonly SoldOfPlan[] },
) {
  const general = await readGeneralTerms(db);
  const change = await planChange(db, wanted, general);
  if (!change) return undefined;
  const { groups, openPartners } = await groupsOf(db, change, general, now);
  const differences = new Differences();
  const effect = new SalesEffect(sold);
  const concerned: Plan[] = [];
  await slices.turn();
  for (const plan of plans) {
    if (slices.isOver()) await slices.turn();
    if (isSellable(plan) && change.concerns(plan)) concerned.push(plan);
  }
  let done = 0;
  let compared = openPartners - groups.reduce((sum, { partners }) => sum + partners.length, 0);
  for (const { partners, before, after } of groups) {
    if (done > 0 && done + concerned.length > MOST_COMPARED) break;
    done += concerned.length;
    const found = differences.forPartners(partners);
    const ids = new Set(partners.map(({ partnerId }) => partnerId));
    for (const plan of concerned) {
      if (slices.isOver()) await slices.turn();
      const [from, to] = [settledPrice(plan, before).price, settledPrice(plan, after).price];
      found(plan, from, to);
      if (from !== to) effect.add(ids, plan, to);
    }
    compared += partners.length;
  }
  return {
    /** The rule that a new one replaces, or the one to be removed. */
    rule: change.rule ?? null,
    ...differences.summary(),
    /** What the sales given would have brought. */
    sales: effect.summary(),
    /** For a rule with a fixed price: the range it must be in, otherwise it is ignored. */
    fixed_price: fixedPrice(plans, change),
    open_partners: openPartners,
    /** If fewer than `open_partners`: there are too many for one answer, and the figures cover only these. */
    compared_partners: compared,
  };
}

/** Of every open partner whose terms the change touches. */
async function groupsOf(
  db: Queryable,
  change: PlannedChange,
  general: GeneralTerms,
  now: number,
): Promise<{ groups: Group[]; openPartners: number }> {
  const groups = new Map<string, Group>();
  let openPartners = 0;
  const isOtherWindow = change.general.shareTiers.windowDays !== general.shareTiers.windowDays;
  for (let afterId = 0; ; ) {
    const page = { afterId, limit: PAGE };
    const rows = await readPartners(db, windowStart(general, now), page);
    const then = isOtherWindow ? await readPartners(db, windowStart(change.general, now), page) : rows;
    const byId = new Map(then.map((row) => [row.partnerId, row]));
    openPartners += rows.length;
    for (const row of rows) {
      const later = byId.get(row.partnerId) ?? row;
      const before = partnerTerms(row, general);
      const after = partnerTerms({ ...later, own: change.ownRules(row.partnerId, row.own) }, change.general);
      if (isSamePrices(before.terms, after.terms)) continue;
      const key = `${before.fingerprint} ${after.fingerprint}`;
      const group = groups.get(key);
      if (group) group.partners.push(row);
      else groups.set(key, { partners: [row], before: before.terms, after: after.terms });
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) break;
    afterId = last.partnerId;
  }
  return { groups: [...groups.values()].sort((a, b) => b.partners.length - a.partners.length), openPartners };
}

function fixedPrice(plans: readonly Plan[], { fixed, general: { cap } }: PlannedChange) {
  const plan = fixed && plans.find(({ alias }) => alias === fixed.alias);
  if (!plan) return null;
  return {
    list_price: formatCents(plan.listPrice),
    lowest: formatCents(toCents(lowestFixedPrice(plan, cap))),
    is_ignored: !isAllowedPrice(plan, fixed.price, cap),
    on_sale: isSellable(plan),
  };
}

/** What a partner bought of a plan in a period. */
interface SoldOfPlan {
  readonly partnerId: number;
  /** Its public id. */
  readonly plan: string;
  readonly orders: number;
  readonly charged: Cents;
  /** Given back of that, until now. */
  readonly returned: Cents;
}

/**
 * What the sales of a period would have brought at other prices: the orders whose price a change touches, as they were charged, and the
 * same orders at the new price. What was given back counts in proportion, on both sides. Margins are at today's cost.
 */
export class SalesEffect {
  readonly #sold: ReadonlyMap<string, readonly SoldOfPlan[]>;
  #orders = 0;
  #before = 0n;
  #after = 0n;
  /** Of plans whose cost is known. */
  readonly #costed = { orders: 0, before: 0n, after: 0n, cost: 0n };

  constructor(sold: readonly SoldOfPlan[]) {
    this.#sold = Map.groupBy(sold, ({ plan }) => plan);
  }

  /** For partners that pay the same: their orders of a plan, at its other price. */
  add(partners: ReadonlySet<number>, plan: Plan, to: Cents): void {
    for (const { partnerId, orders, charged, returned } of this.#sold.get(plan.alias) ?? []) {
      if (!partners.has(partnerId) || charged === 0n) continue;
      const kept = charged - returned;
      const after = divideHalfUp(BigInt(orders) * to * kept, charged);
      this.#orders += orders;
      this.#before += kept;
      this.#after += after;
      if (plan.cost === null) continue;
      this.#costed.orders += orders;
      this.#costed.before += kept;
      this.#costed.after += after;
      this.#costed.cost += divideHalfUp(BigInt(orders) * plan.cost * kept, charged);
    }
  }

  summary() {
    const { orders, before, after, cost } = this.#costed;
    const margin = (revenue: bigint) =>
      orders === 0 ? null : formatCents(microsToCentsHalfUp(toMicros(centsToMicros(toCents(revenue)) - cost)));
    return {
      orders: this.#orders,
      revenue_before: formatCents(toCents(this.#before)),
      revenue_after: formatCents(toCents(this.#after)),
      /** Of the orders of plans whose cost is known; null: of none. */
      margin_before: margin(before),
      margin_after: margin(after),
      /** Orders of plans without a known cost, which the margin leaves out. */
      without_cost: this.#orders - orders,
    };
  }
}
