import type { Wayfare } from '../../../../../sdk/src/wayfare.ts';
import type { PlanEntry } from '../../../catalog/import-format/import-format.ts';
import { type Json, listOf, objectOf, textOf } from '../loose.ts';
import { planOf } from './plans.ts';

export interface RefillLists {
  readonly plans: readonly PlanEntry[];
  /** Whether every kind of eSIM was asked about. */
  readonly isComplete: boolean;
}

/** eSIMs looked through, newest first: 100 a page. */
const MOST_PAGES = 20;
/** Kinds of eSIM asked about in one import. */
const MOST_LISTS = 300;
/** eSIMs in these states can be refilled. */
const OPEN = ['not_active', 'active', 'depleted'];

/**
 * They list refills for an eSIM, not for a plan. So one eSIM of each plan that we bought there is asked about, and what it offers is taken
 * for all eSIMs of that plan: a plan's refills are known from the first import after its first sale.
 */
export async function readRefillLists(wayfare: Wayfare): Promise<RefillLists> {
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
