import { removeBatch } from '../../src/domains/messages/webhooks/log/retention.ts';
import { proveBooks } from '../../src/domains/money/proof/prove.ts';
import { DAY } from '../../src/platform/clock.ts';
import { sql } from '../../src/platform/db/query/sql.ts';
import { openTraffic, type Sent, summary } from '../bench/support/traffic.ts';
import { since } from './build.ts';
import type { Served, Site } from './site.ts';

const PER_SECOND = 20;
const BATCHES = 200;
const QUIET_MS = 10_000;

export interface Upkeep {
  readonly name: string;
  readonly seconds: number;
  readonly sent: readonly Sent[];
  /** Undefined: it was done. */
  readonly failure: string | undefined;
}

/** Purchases and reads at a steady rate during maintenance of the large database. */
export async function upkeep(site: Site, { server }: Served, say: (line: string) => void): Promise<Upkeep[]> {
  const { owner, live, keys, product } = site;
  const traffic = openTraffic({
    perSecond: PER_SECOND,
    keys,
    product,
    ports: () => [Number(new URL(server.urls.live).port)],
  });
  const found: Upkeep[] = [];
  let gone = 0;
  async function during(name: string, work: () => Promise<unknown>): Promise<void> {
    const began = performance.now();
    let failure: string | undefined;
    const sent = await traffic.during(() =>
      work().catch((error) => {
        failure = String(error);
      }),
    );
    found.push({ name, seconds: since(began), sent, failure });
    say(`${summary(name, sent)}${failure ? `\n  ${failure}` : ''}`);
  }
  try {
    await during('nothing else', () => new Promise((over) => setTimeout(over, QUIET_MS)));
    await during('retention', async () => {
      // All but the last week's, which the deliveries of this size are far more than.
      let after = 0n;
      for (let i = 0; i < BATCHES; i++) {
        const { last, removed } = await removeBatch(live, after, new Date(Date.now() - 7 * DAY));
        if (last === null) break;
        after = last;
        gone += removed;
      }
    });
    say(`${gone.toLocaleString('en')} deliveries removed`);
    await during('vacuum', () => owner.run(sql`vacuum (analyze) webhook_deliveries`));
    await during('an index build', () =>
      owner.run(sql`create index concurrently orders_tried on orders (supplier_plan, id)`),
    );
    await during('a proof of the ledger', async () => {
      const { drift } = await proveBooks(site.auditor, () => {});
      if (drift.length > 0) throw new Error(`the ledger drifted: ${JSON.stringify(drift)}`);
    });
  } finally {
    await owner.run(sql`drop index if exists orders_tried`);
    await traffic.close();
  }
  return found;
}
