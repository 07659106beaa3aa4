import { createHash } from 'node:crypto';
import { type CatalogState, isListed, type Moment, type Plan } from '../../../../domains/catalog/catalog.ts';
import type { PartnerPrice, PartnerPrices } from '../../../../domains/catalog/prices/prices.ts';
import type { Slices } from '../../../../platform/limits/turns.ts';
import { productRow, productSchema } from './rows.ts';

/** What the Product rows of an export were made of. Equal versions mean equal rows, in every process and in both worlds. */
export interface Version {
  readonly state: CatalogState;
  /** How a row is written: it changes with releases that add a field, and with the address of the flags. */
  readonly form: string;
  readonly contractId: string;
}

const VERSION = /^(\d{1,18})-([0-9a-f]{8})-([0-9a-f]{8})-([0-9a-f]{16})$/;
export const VERSION_PATTERN = VERSION.source;

/** What a schema says of a row for people. It can be reworded without a row being written differently. */
const isRemark = (key: string, value: unknown): boolean =>
  ((key === 'title' || key === 'description') && typeof value === 'string') ||
  key === 'examples' ||
  key === 'x-enum-descriptions';

/** Countries that are not sold have the names that Node's own data gives them. */
const FORM = JSON.stringify([productSchema, process.versions.cldr], (key, value) =>
  isRemark(key, value) ? undefined : value,
);
const forms = new Map<string, string>();

function formOf(imageBase: string): string {
  const form = forms.get(imageBase) ?? createHash('sha256').update(FORM).update(imageBase).digest('hex').slice(0, 8);
  forms.set(imageBase, form);
  return form;
}

export function versionOf({ state, imageBase }: Moment, { contract }: PartnerPrices): Version {
  return { state, form: formOf(imageBase), contractId: contract.id };
}

export const formatVersion = ({ state, form, contractId }: Version): string =>
  `${state.id}-${state.token}-${form}-${contractId}`;

/** Undefined: not a version. */
export function parseVersion(text: string): Version | undefined {
  const [, id, token, form, contractId] = VERSION.exec(text) ?? [];
  if (id === undefined || !token || !form || !contractId) return undefined;
  return { state: { id: BigInt(id), token }, form, contractId };
}

type PriceOf = (plan: Plan) => PartnerPrice;

/** What a partner has to change to get from an earlier export to this one. */
export interface Differences {
  /** New, or with another row; in the order of the export. */
  readonly changed: readonly Plan[];
  readonly removed: readonly string[];
  /** Of those that were and are on sale: how many cost the partner more, and how many less. */
  readonly pricesUp: number;
  readonly pricesDown: number;
}

/**
 * Compares the rows of now with those of then, one by one, so a plan that changed and changed back is not named. Plans that are
 * not in `past` are as they were, apart from their prices: `was` is given when other terms set them.
 */
export async function differences(
  moment: Moment,
  past: ReadonlyMap<number, Plan>,
  { is, was }: { is: PriceOf; was: PriceOf | undefined },
  slices: Slices,
): Promise<Differences> {
  const changed: Plan[] = [];
  const removed: string[] = [];
  let [pricesUp, pricesDown] = [0, 0];
  const comparePrices = (before: PartnerPrice, now: PartnerPrice) => {
    if (now.partnerPrice > before.partnerPrice) pricesUp += 1;
    if (now.partnerPrice < before.partnerPrice) pricesDown += 1;
  };
  await slices.turn();
  for (const plan of was ? moment.listed : []) {
    if (slices.isOver()) await slices.turn();
    if (!was || past.has(plan.id) || isSamePrice(was(plan), is(plan))) continue;
    changed.push(plan);
    comparePrices(was(plan), is(plan));
  }
  for (const before of past.values()) {
    if (slices.isOver()) await slices.turn();
    const plan = moment.byAlias(before.alias);
    const isThere = plan !== undefined && isListed(plan);
    if (isThere && isListed(before)) comparePrices((was ?? is)(before), is(plan));
    if (isThere && !(isListed(before) && isSameRow(before, (was ?? is)(before), plan, is(plan)))) changed.push(plan);
    else if (!isThere && isListed(before)) removed.push(before.alias);
  }
  return { changed: changed.sort((a, b) => a.id - b.id), removed, pricesUp, pricesDown };
}

const isSamePrice = (a: PartnerPrice, b: PartnerPrice): boolean =>
  a.partnerPrice === b.partnerPrice &&
  a.discount === b.discount &&
  a.marginSharePct === b.marginSharePct &&
  a.source === b.source;

const isSameRow = (a: Plan, priceOfA: PartnerPrice, b: Plan, priceOfB: PartnerPrice): boolean =>
  JSON.stringify(productRow(a, priceOfA)) === JSON.stringify(productRow(b, priceOfB));
