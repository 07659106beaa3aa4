import type { Clock } from '../../../platform/clock.ts';
import { notice, traced } from '../../../platform/traces/traces.ts';
import type { Adapter } from '../accounts/registry.ts';
import type { Supplier } from '../port/port.ts';

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
