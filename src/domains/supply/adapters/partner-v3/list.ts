import type { Wayfare } from '../../../../../sdk/src/wayfare.ts';
import { MINUTE } from '../../../../platform/clock.ts';
import { feedImport, type PlanEntry, type RawImport, slugOf } from '../../../catalog/import-format/import-format.ts';
import { deadlineIn } from '../connection.ts';
import { type Json, listOf, microsOf, numberOf, objectOf, textOf } from '../loose.ts';
import { clip, installWindow, isIso, MAX_NETWORKS, priceFields, requireSome } from '../plan-fields.ts';
import { bareList } from './bare-list.ts';
import type { PartnerClient } from './client.ts';

/** eSIMs looked through, newest first: 100 a page. */
const MOST_PAGES = 20;
/** Kinds of eSIM asked about in one import. */
const MOST_LISTS = 300;
/** eSIMs in these states can be refilled. */
const OPEN = ['not_active', 'active', 'depleted'];

/**
 * They list refills for an eSIM, not for a plan. So one eSIM of each plan that we bought there is asked about, and what it offers is
 * taken for all eSIMs of that plan: a plan's refills are known from the first import after its first sale. `isComplete`: every kind was
 * asked about.
 */
async function readRefillLists(wayfare: Wayfare) {
  const { examples, sawAll } = await examplesOf(wayfare);
  const plans = new Map<string, PlanEntry>();
  let unanswered = 0;
  for (const [sold, iccid] of [...examples].slice(0, MOST_LISTS)) {
    const answer = await wayfare.esim.refills(iccid).catch(() => undefined);
    if (!answer) unanswered += 1;
    for (const product of listOf(objectOf(answer).products) ?? []) {
      const plan = planOf(product);
      plans.set(plan.code, { ...plan, refills: [...new Set([...(plans.get(plan.code)?.refills ?? []), sold])] });
    }
  }
  return { plans: [...plans.values()], isComplete: sawAll && unanswered === 0 && examples.size <= MOST_LISTS };
}

/** An eSIM of each plan. */
async function examplesOf(wayfare: Wayfare): Promise<{ examples: Map<string, string>; sawAll: boolean }> {
  const examples = new Map<string, string>();
  let before: number | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const answer: Json = objectOf(
      await wayfare.esim.list({ limit: 100, ...(before === undefined ? {} : { before_id: before }) }),
    );
    const esims = listOf(answer.esims) ?? [];
    for (const esim of esims) {
      const [sold, iccid] = [textOf(esim.product_id), textOf(esim.iccid)];
      if (sold && iccid && OPEN.includes(textOf(esim.state) ?? '') && !examples.has(sold)) examples.set(sold, iccid);
    }
    before = Number(textOf(esims.at(-1)?.order_id));
    if (answer.has_more !== true || !(before > 0)) return { examples, sawAll: true };
  }
  return { examples, sawAll: false };
}

/** Rows of their list, and how they came. */
interface Listed {
  readonly products: readonly Json[];
  /** The service's name for the state of its list; undefined: it has none. */
  readonly version: string | undefined;
  /** Undefined: the rows are the whole list. Otherwise they are what changed, and these ids are gone. */
  readonly removed: readonly string[] | undefined;
}

/** Their list: what changed since the version we have, if they offer that, or the whole of it. */
export async function readList(
  client: PartnerClient,
  { slug, title }: { readonly slug: string; readonly title: string },
  since: string | null,
  signal: AbortSignal,
): Promise<RawImport> {
  const offers = await client.offers(deadlineIn(MINUTE));
  if ('failed' in offers) throw new Error(offers.failed);
  const wayfare = client.patient(signal);
  const { products, version, removed } = offers.export ? await exported(wayfare, since) : await whole(wayfare);
  if (removed === undefined) requireSome(products);
  const refills = offers.refills ? await readRefillLists(wayfare) : { plans: [], isComplete: true };
  const titles = new Map(products.map((one) => [destinationOf(one.country_code), textOf(one.country_title) ?? '']));
  const entry = { slug, title, kind: 'partner_v3' };
  const batch = await feedImport(entry, [...products.map(planOf), ...refills.plans], titles);
  return {
    ...batch,
    keepRefills: !refills.isComplete,
    ...(version !== undefined && { version }),
    ...(removed && { full: false, removed }),
  };
}

const whole = async (wayfare: Wayfare): Promise<Listed> => ({
  products: await bareList(wayfare),
  version: undefined,
  removed: undefined,
});

async function exported(wayfare: Wayfare, since: string | null): Promise<Listed> {
  if (since !== null) {
    const answer = objectOf(await wayfare.catalog.changes({ since }).catch(() => undefined));
    const [products, version] = [listOf(answer.changed), textOf(answer.version)];
    // Otherwise the version is too old, or all prices changed.
    if (answer.complete === true && products && version !== null)
      return { products, version, removed: Array.isArray(answer.removed) ? answer.removed.map(String) : [] };
  }
  const answer = objectOf(await wayfare.catalog.export());
  const products = listOf(answer.products);
  if (!products) throw new Error('no list in the answer');
  return { products, version: textOf(answer.version) ?? undefined, removed: undefined };
}

/** A country's code, or the slug of a region. */
function destinationOf(code: unknown): string {
  const text = textOf(code) ?? '';
  return isIso(text.toUpperCase()) ? text.toUpperCase() : slugOf(text);
}

/**
 * A plan of theirs as ours: it costs us our price there, and its list price is theirs unless we set a markup. Fields beyond the contract
 * are used where they are there. `is_usage_metered` is not taken over: whatever their cost depends on, ours is fixed.
 */
function planOf(product: Json): PlanEntry {
  const [price, cost] = [microsOf(product.price), microsOf(product.partner_price)];
  const isUnlimited = product.is_unlimited === true || product.is_unlimited === '1' || product.is_unlimited === 1;
  const coverage = texts(product.coverage_codes).filter(isIso);
  const fairUse = clip(product.fair_use_text);
  return {
    code: textOf(product.id) ?? '',
    destination: destinationOf(product.country_code),
    title: (textOf(product.title) ?? '').slice(0, 200),
    amount: isUnlimited ? 0 : Math.round(numberOf(product.amount) ?? 0),
    day: Math.round(numberOf(product.day) ?? 0),
    ...(isUnlimited && { is_unlimited: true }),
    network_type: textOf(product.network_type)?.toUpperCase() === '5G' ? '5G' : '4G',
    ...priceFields(price, cost),
    ...(coverage.length > 0 && { coverage }),
    fup_kind: clip(product.fup_kind) ?? 'unknown',
    fup_daily_mb: Math.max(0, Math.round(numberOf(product.fup_daily_mb) ?? 0)),
    fup_speed_kbps: Math.max(0, Math.round(numberOf(product.fup_speed_kbps) ?? 0)),
    ...(fairUse !== null && { fair_use_text: fairUse }),
    ...counted('voice', product.voice_minutes),
    ...counted('text', product.sms),
    ...installWindow(product.install_window_days),
    operator: operatorOf(product),
  };
}

function operatorOf(product: Json): NonNullable<PlanEntry['operator']> {
  const [title, policy] = [clip(product.operator_title), clip(product.activation_policy)];
  const networks = texts(product.networks).slice(0, MAX_NETWORKS);
  const { type, value } = (product.apn ?? {}) as Json;
  const apnType = clip(type);
  return {
    ...(title !== null && { title }),
    ...(networks.length > 0 && { networks }),
    ...(policy !== null && { activation_policy: policy }),
    ...(typeof product.kyc_required === 'boolean' && { is_kyc_verify: product.kyc_required }),
    ...(typeof product.refillable === 'boolean' && { rechargeability: product.refillable }),
    ...(apnType !== null && { apn_type: apnType, apn_value: clip(value) }),
  };
}

function counted(name: 'voice' | 'text', value: unknown): Partial<Pick<PlanEntry, 'voice' | 'text'>> {
  const count = Math.round(numberOf(value) ?? 0);
  return count > 0 ? { [name]: count } : {};
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.flatMap((one) => clip(one) ?? []) : []);
