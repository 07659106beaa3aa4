import { type Clock, DAY, HOUR, MINUTE } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Log } from '../../../platform/log.ts';
import { notice, traced } from '../../../platform/traces/traces.ts';
import type { Adapter } from '../accounts/registry.ts';
import type { Supplier } from '../port/port.ts';

/** A duration is recorded as the smallest of these bounds that it does not exceed: enough for a median or a 95th percentile. */
const BOUNDS_MS = [100, 250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 60_000] as const;
/** The bound of calls that took longer than all of them. */
const LONGER_MS = 2_147_483_647;
const KEPT_MS = 2 * DAY;
const PRUNED_AT_ONCE = 5_000;
/** Kinds of calls that wait to be written: one for each minute, supplier, call, outcome and bound. Beyond these they are not counted. */
const MAX_KINDS = 5_000;

interface Kind {
  readonly minute: Date;
  readonly supplier: string;
  readonly call: string;
  readonly outcome: string;
  readonly withinMs: number;
  calls: number;
  totalMs: number;
  lastAt: number;
}

/** Calls to suppliers of this process that are not in the figures yet. */
export function createSupplierFigures(db: Queryable, clock: Clock, log: Pick<Log, 'warn'>) {
  let kinds = new Map<string, Kind>();

  function add(counted: Kind): void {
    const { minute, supplier, call, outcome, withinMs } = counted;
    const name = `${minute.getTime()} ${supplier} ${call} ${outcome} ${withinMs}`;
    const kind = kinds.get(name);
    if (kind) {
      kind.calls += counted.calls;
      kind.totalMs += counted.totalMs;
      kind.lastAt = Math.max(kind.lastAt, counted.lastAt);
    } else if (kinds.size < MAX_KINDS) kinds.set(name, counted);
  }

  return {
    /** Called after every call to a supplier; costs one map lookup. */
    count(...[seconds, supplier, call, outcome]: Parameters<ObserveCall>): void {
      const now = clock.now();
      const ms = Math.max(0, Math.round(seconds * 1000));
      const withinMs = BOUNDS_MS.find((bound) => ms <= bound) ?? LONGER_MS;
      const minute = new Date(Math.floor(now / MINUTE) * MINUTE);
      add({ minute, supplier, call, outcome, withinMs, calls: 1, totalMs: ms, lastAt: now });
    },
    /** Writes what was counted. What could not be written waits for the next time. */
    async flush(): Promise<void> {
      if (kinds.size === 0) return;
      const counted = [...kinds.values()];
      kinds = new Map();
      try {
        await addSupplierFigures(db, counted);
      } catch (error) {
        log.warn(
          { err: error },
          'calls to suppliers could not be added to the figures; they will be with the next ones',
        );
        for (const kind of counted) add(kind);
      }
    },
  };
}

async function addSupplierFigures(db: Queryable, counted: readonly Kind[]): Promise<void> {
  // Sorted, so that two processes that add to the same rows lock them in the same order.
  await db.run(sql`
    insert into supplier_figures as kept (minute, supplier, call, outcome, within_ms, calls, total_ms, last_at)
    select * from unnest(
      ${counted.map(({ minute }) => minute)}::timestamptz[], ${counted.map(({ supplier }) => supplier)}::text[],
      ${counted.map(({ call }) => call)}::text[], ${counted.map(({ outcome }) => outcome)}::text[],
      ${counted.map(({ withinMs }) => withinMs)}::int[], ${counted.map(({ calls }) => calls)}::int[],
      ${counted.map(({ totalMs }) => totalMs)}::bigint[], ${counted.map(({ lastAt }) => new Date(lastAt))}::timestamptz[]
    ) order by 1, 2, 3, 4, 5
    on conflict (minute, supplier, call, outcome, within_ms) do update set calls = kept.calls + excluded.calls,
      total_ms = kept.total_ms + excluded.total_ms, last_at = greatest(kept.last_at, excluded.last_at)`);
}

/** Forgets figures that no page shows any more. */
export const supplierFiguresJob = (db: Queryable, clock: Clock): Job => ({
  name: 'supplier figures',
  everyMs: 1 * HOUR,
  run: () =>
    db.run(sql`
      delete from supplier_figures where (minute, supplier, call, outcome, within_ms) in (
        select minute, supplier, call, outcome, within_ms from supplier_figures
        where minute < ${new Date(clock.now() - KEPT_MS)} order by minute limit ${PRUNED_AT_ONCE})`),
});

export type ObserveCall = (seconds: number, supplier: string, call: string, outcome: string) => void;

/** The same supplier; every call is reported to `observe`. */
export function measuredSupplier(observe: ObserveCall, clock: Clock): (supplier: Supplier) => Supplier {
  const timed = <Answer>(supplier: string, call: string, run: () => Promise<Answer>): Promise<Answer> =>
    traced(
      `supplier ${call}`,
      { kind: 'client', attributes: { 'wayfare.supplier': supplier, 'wayfare.call': call } },
      () => observed(supplier, call, run),
    );

  async function observed<Answer>(supplier: string, call: string, run: () => Promise<Answer>): Promise<Answer> {
    const startedAt = clock.now();
    let outcome = 'failed';
    try {
      const answer = await run();
      outcome = (answer as { outcome?: string } | undefined)?.outcome ?? 'answered';
      return answer;
    } finally {
      notice({ 'wayfare.outcome': outcome });
      observe((clock.now() - startedAt) / 1000, supplier, call, outcome);
    }
  }
  return (supplier) => {
    const { balance, withdraw, suspend, resume, release } = supplier;
    return {
      name: supplier.name,
      sellsRefills: supplier.sellsRefills,
      plans: (signal, since) => timed(supplier.name, 'plans', () => supplier.plans(signal, since)),
      order: (order, limitMs) => timed(supplier.name, 'order', () => supplier.order(order, limitMs)),
      find: (order, limitMs) => timed(supplier.name, 'find', () => supplier.find(order, limitMs)),
      usage: (esim, limitMs) => timed(supplier.name, 'usage', () => supplier.usage(esim, limitMs)),
      ...(withdraw && { withdraw: (esim, limitMs) => timed(supplier.name, 'withdraw', () => withdraw(esim, limitMs)) }),
      ...(suspend && { suspend: (esim, limitMs) => timed(supplier.name, 'suspend', () => suspend(esim, limitMs)) }),
      ...(resume && { resume: (esim, limitMs) => timed(supplier.name, 'resume', () => resume(esim, limitMs)) }),
      ...(release && { release }),
      ...(supplier.listsLateMs === undefined ? {} : { listsLateMs: supplier.listsLateMs }),
      ...(balance && { balance: (limitMs) => timed(supplier.name, 'balance', () => balance(limitMs)) }),
      ...(supplier.usagePerSecond === undefined ? {} : { usagePerSecond: supplier.usagePerSecond }),
    };
  };
}

export function measuredAdapters(
  adapters: Readonly<Record<string, Adapter>>,
  measured: (supplier: Supplier) => Supplier,
): Record<string, Adapter> {
  return Object.fromEntries(
    Object.entries(adapters).map(([kind, adapter]) => [
      kind,
      async (slug: string) => {
        const supplier = await adapter(slug);
        return supplier && measured(supplier);
      },
    ]),
  );
}
