import { openTraffic, type Sent, summary } from '../../../bench/support/traffic.ts';
import { DAY } from '../../../src/clock.ts';
import { sql } from '../../../src/db/sql.ts';
import { proveBooks } from '../../../src/proof/prove.ts';
import { removeBatch } from '../../../src/webhooks/retention.ts';
import type { Served, Site } from './site.ts';

const PER_SECOND = 20;
const BATCHES = 200;
const QUIET_MS = 10_000;

export interface Upkeep {
  readonly name: string;
  readonly seconds: number;
  readonly sent: readonly Sent[];
}

/** Purchases and reads at a steady rate while the large database is looked after. */
export async function upkeep(site: Site, { server }: Served, say: (line: string) => void): Promise<Upkeep[]> {
  const { owner, live, keys, product } = site;
  const traffic = openTraffic({
    perSecond: PER_SECOND,
    keys,
    product,
    ports: () => [Number(new URL(server.urls.live).port)],
  });
  const found: Upkeep[] = [];
  async function during(name: string, work: () => Promise<unknown>): Promise<void> {
    const began = performance.now();
    const sent = await traffic.during(work);
    found.push({ name, seconds: (performance.now() - began) / 1000, sent });
    say(summary(name, sent));
  }
  try {
    await during('nothing else', () => new Promise((over) => setTimeout(over, QUIET_MS)));
    await during('retention', async () => {
      // All but the last week's, which the deliveries of this size are far more than.
      let after = 0n;
      for (let i = 0; i < BATCHES; i++)
        after = (await removeBatch(live, after, new Date(Date.now() - 7 * DAY))).last ?? 0n;
    });
    await during('vacuum', () => owner.run(sql`vacuum (analyze) webhook_deliveries`));
    await during('an index build', () =>
      owner.run(sql`create index concurrently orders_tried on orders (supplier_plan, id)`),
    );
    await during('a proof of what is new', () => proveBooks(site.auditor, () => {}, { kind: 'new', at: new Date() }));
  } finally {
    await owner.run(sql`drop index if exists orders_tried`);
    await traffic.close();
  }
  return found;
}
