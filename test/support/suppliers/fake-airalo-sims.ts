import { type Clock, DAY, parseTimestamp, timestamp } from '../../../src/platform/clock.ts';
import { business, fields, notFound, ok } from './fake-airalo-answers.ts';
import { type AiraloPackage, type AiraloPlace, packageOf, refillsOf } from './fake-airalo-packages.ts';
import type { Reply } from './fake-http.ts';

interface AiraloUsage {
  remaining: number;
  total: number;
  expired_at: string | null;
  is_unlimited: boolean | null;
  status: string;
  activated_at: string | null;
}

const recycled = business(73, 'The eSIM was recycled');

/** The eSIMs that were sold, as `/v2/sims/{iccid}/…` shows them. */
export function fakeAiraloSims(clock: Clock, places: () => readonly AiraloPlace[]) {
  const usages = new Map<string, AiraloUsage>();
  /** The ids of an eSIM's packages: the first one and its refills. */
  const packages = new Map<string, string[]>();
  const refillsFor = (iccid: string) => refillsOf(places(), String(packages.get(iccid)?.[0]));

  return {
    usages,

    sell(iccid: string, { id, amount, is_unlimited }: AiraloPackage) {
      const fresh = { expired_at: null, status: 'NOT_ACTIVE', activated_at: null };
      usages.set(iccid, { remaining: amount, total: amount, is_unlimited, ...fresh });
      packages.set(iccid, [id]);
    },

    /** Adds the data at once, and the days if they have begun to count. Answers only if the eSIM cannot have this refill. */
    refill(iccid: string, packageId: string): Reply | undefined {
      const usage = usages.get(iccid);
      if (!usage) return fields({ iccid: 'The selected iccid is invalid.' });
      if (usage.status === 'RECYCLED') return recycled;
      const sold = refillsFor(iccid).find(({ id }) => id === packageId);
      if (!sold) return fields({ package_id: 'invalid topup package' });
      packages.get(iccid)?.push(packageId);
      usage.total += sold.amount;
      usage.remaining += sold.amount;
      if (usage.status !== 'NOT_ACTIVE') usage.status = 'ACTIVE';
      const end = parseTimestamp(usage.expired_at ?? '')?.getTime();
      if (end !== undefined) usage.expired_at = timestamp(Math.max(end, clock.now()) + sold.day * DAY);
      return undefined;
    },

    answer(path: string): Reply {
      const [, iccid = '', what] = /^\/v2\/sims\/(\d+)\/(usage|packages|topups)$/.exec(path) ?? [];
      const usage = usages.get(iccid);
      if (!usage || !what) return notFound;
      const { activated_at, ...shown } = usage;
      if (what === 'usage')
        return ok({ ...shown, remaining_voice: 0, remaining_text: 0, total_voice: 0, total_text: 0 });
      if (what === 'topups') return usage.status === 'RECYCLED' ? recycled : ok(refillsFor(iccid));
      const history = (packages.get(iccid) ?? []).map((id, i) => ({
        id: 728 + i,
        ...(i === 0 ? { status: usage.status, activated_at } : { status: 'NOT_ACTIVE', activated_at: null }),
        remaining: i === 0 ? usage.remaining : packageOf(places(), id)?.amount,
        finished_at: null,
        package: packageOf(places(), id),
      }));
      return ok(history);
    },
  };
}
