import { resolve } from 'node:path';
import { openShop, type Shop } from './support/open-shop.ts';
import { usedBy, usedByPostgres } from './support/processor-time.ts';

/**
 * Purchases with this code and with an earlier checkout of it, in turn, each on a PostgreSQL and a server of its own. The earlier one must
 * be installed: `git worktree add ../before TAG && (cd ../before && npm ci)`, then `BENCH_BEFORE=../before npm run bench buy-before`.
 */
const { BENCH_BEFORE: before, BENCH_ROUNDS: rounds = 30, BENCH_SECONDS: seconds = 2 } = process.env;
if (!before) throw new Error('BENCH_BEFORE must name an earlier checkout');
const PARTNERS = 1000;
const CLIENTS = [1, 16, 64] as const;
const WARM_UP_SECONDS = 15;

interface Round {
  readonly rate: number;
  /** Processor time of one purchase, in microseconds. */
  readonly node: number;
  readonly postgres: number;
}

async function measured(shop: Shop, clients: number): Promise<Round> {
  const used = () => ({
    node: shop.pids.reduce((sum, pid) => sum + usedBy(pid), 0),
    postgres: usedByPostgres(shop.folder),
  });
  const start = used();
  const rate = await shop.purchases(clients, shop.keys, Number(seconds));
  const end = used();
  const purchases = rate * Number(seconds);
  return {
    rate,
    node: (end.node - start.node) / purchases,
    postgres: (end.postgres - start.postgres) / purchases,
  };
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

await using earlier = await openShop(PARTNERS, resolve(before));
await using ours = await openShop(PARTNERS);
for (const shop of [earlier, ours]) await shop.purchases(64, shop.keys, WARM_UP_SECONDS);

console.log(
  `${rounds} rounds of ${seconds} s each, ${PARTNERS} partners; medians; processor time of one purchase in µs\n`,
);
console.log('clients   before/s   now/s   ratio   mean ratio ± its error   Node before, now   PostgreSQL before, now');
for (const clients of CLIENTS) {
  const then: Round[] = [];
  const now: Round[] = [];
  for (let round = 0; round < Number(rounds); round++)
    // They take turns in going first.
    for (const isOurs of [round % 2 === 1, round % 2 === 0])
      (isOurs ? now : then).push(await measured(isOurs ? ours : earlier, clients));
  const ratios = now.map(({ rate }, i) => rate / (then[i]?.rate ?? Number.NaN));
  const mean = ratios.reduce((sum, one) => sum + one, 0) / ratios.length;
  const variance = ratios.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (ratios.length - 1);
  const of = (list: readonly Round[], what: keyof Round) => median(list.map((one) => one[what])).toFixed();
  const cells: [string, number][] = [
    [String(clients), 7],
    [of(then, 'rate'), 11],
    [of(now, 'rate'), 8],
    [median(ratios).toFixed(3), 8],
    [`${mean.toFixed(3)} ± ${Math.sqrt(variance / ratios.length).toFixed(3)}`, 25],
    [`${of(then, 'node')}, ${of(now, 'node')}`, 19],
    [`${of(then, 'postgres')}, ${of(now, 'postgres')}`, 25],
  ];
  console.log(cells.map(([text, width]) => text.padStart(width)).join(''));
}
