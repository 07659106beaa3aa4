import { MINUTE, SECOND } from '../../../../platform/clock.ts';
import type { PlanEntry } from '../../../catalog/import-format/import-format.ts';
import { deadlineIn, throttle } from '../connection.ts';
import { type Json, listOf, textOf } from '../loose.ts';
import { type EsimAccessClient, listIn, UNKNOWN_PLAN } from './client.ts';
import { isRefillable, planOf } from './plans.ts';

/** All lists together, and each. */
const LIMIT_MS = 4 * MINUTE;
const EACH_LIMIT_MS = 20 * SECOND;
const MAX_BYTES = 8 * 1024 * 1024;
/** After this many failures in a row the rest is not asked for. */
const MOST_FAILURES = 3;
/** A base package must never be taken for a refill: it would go off sale. */
const PREFIX = 'TOPUP_';

/**
 * The refills of these packages. eSIM Access lists them for one package at a time, and there are thousands of packages. But what it
 * offers is "for the same area", so one package is asked about for all that cover the same places over the same networks: a few
 * hundred calls instead of thousands. If it refuses a refill all the same, the order fails and is refunded. `unanswered`: how many lists
 * could not be read, so that refills may be missing.
 */
export async function readRefillLists(
  client: EsimAccessClient,
  packages: readonly Json[],
  perSecond: number,
  signal: AbortSignal,
) {
  const deadline = deadlineIn(LIMIT_MS);
  const nextTurn = throttle(perSecond);
  const plans = new Map<string, PlanEntry>();
  let [unanswered, failuresInARow] = [0, 0];
  for (const area of areasOf(packages).values()) {
    const list =
      failuresInARow < MOST_FAILURES && (await nextTurn(deadline.leftMs())) ? await listFor(area) : undefined;
    if (signal.aborted) throw new Error('given up');
    if (!list) unanswered += 1;
    failuresInARow = list ? 0 : failuresInARow + 1;
    for (const sold of list ?? []) add(sold, area);
  }
  return { plans: [...plans.values()], unanswered };

  async function listFor([one]: readonly Json[]): Promise<readonly Json[] | undefined> {
    const body = { type: 'TOPUP', packageCode: textOf(one?.packageCode) };
    const limit = deadlineIn(Math.min(EACH_LIMIT_MS, deadline.leftMs()));
    const answer = await client.post('/package/list', body, limit, { maxBytes: MAX_BYTES, signal });
    if (answer.said === 'no') return UNKNOWN_PLAN.test(answer.code) ? [] : undefined;
    return answer.said === 'yes' ? listOf(listIn(answer.obj, 'packageList')) : undefined;
  }

  function add(sold: Json, area: readonly Json[]): void {
    const [{ location, locationCode, locationNetworkList } = {} as Json] = area;
    const plan = planOf({ location, locationCode, locationNetworkList, ...sold });
    if (!plan?.code.startsWith(PREFIX)) return;
    const codes = area.flatMap(({ packageCode }) => textOf(packageCode) ?? []);
    plans.set(plan.code, { ...plan, refills: [...new Set([...(plans.get(plan.code)?.refills ?? []), ...codes])] });
  }
}

/** The packages that can be refilled, by area. Those of other networks are another area: their eSIMs may be another carrier's. */
function areasOf(packages: readonly Json[]): Map<string, Json[]> {
  const areas = new Map<string, Json[]>();
  for (const sold of packages) {
    if (!isRefillable(sold) || !planOf(sold)) continue;
    const { locationCode, location, ipExport, speed, locationNetworkList } = sold;
    const area = JSON.stringify([locationCode, location, ipExport, speed, locationNetworkList]);
    const others = areas.get(area);
    if (others) others.push(sold);
    else areas.set(area, [sold]);
  }
  return areas;
}
