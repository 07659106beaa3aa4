import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openShop, type Shop } from './support/open-shop.ts';
import { usedBy, usedByPostgres } from './support/processor-time.ts';

/**
 * Purchases with this code and with an earlier checkout of it, in turn, each on a PostgreSQL and a server of its own. The earlier one must
 * be installed: `git worktree add ../before TAG && (cd ../before && npm ci)`, then `BENCH_BEFORE=../before npm run bench buy-before`.
 *
 * While one is measured the other is halted, so that each pays for what it puts off (sums for charts, autovacuum) in its own time. Two
 * starts of the same code differ by a twentieth, which no number of rounds shows, so both are started several times, and the error
 * is that of their means.
 */
const {
  BENCH_BEFORE: before,
  BENCH_STARTS: starts = 6,
  BENCH_ROUNDS: rounds = 5,
  BENCH_SECONDS: seconds = 2,
} = process.env;
if (!before) throw new Error('BENCH_BEFORE must name an earlier checkout');
const PARTNERS = 1000;
const CLIENTS = [1, 16, 64] as const;
const WARM_UP_SECONDS = 12;
/** After a halt, for the jobs that have become due meanwhile. */
const SETTLE_MS = 300;

interface Round {
  readonly rate: number;
  /** Processor time of one purchase, in microseconds. */
  readonly node: number;
  readonly postgres: number;
}

type Rounds = { readonly before: Round[]; readonly now: Round[]; readonly means: number[] };

async function measured(shop: Shop, clients: number, other: Shop): Promise<Round> {
  using _ = other.halt();
  await wait(SETTLE_MS);
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

async function compare(found: ReadonlyMap<number, Rounds>, earlierFirst: boolean, checkout: string): Promise<void> {
  await using first = await openShop(PARTNERS, earlierFirst ? checkout : undefined);
  await using second = await openShop(PARTNERS, earlierFirst ? undefined : checkout);
  const [earlier, ours] = earlierFirst ? [first, second] : [second, first];
  for (const shop of [earlier, ours]) await shop.purchases(64, shop.keys, WARM_UP_SECONDS);
  for (const [clients, all] of found) {
    for (let round = 0; round < Number(rounds); round++)
      // They take turns in going first.
      for (const isOurs of [round % 2 === 1, round % 2 === 0])
        (isOurs ? all.now : all.before).push(await measured(isOurs ? ours : earlier, clients, isOurs ? earlier : ours));
    const ratios = all.now.map(({ rate }, i) => rate / (all.before[i]?.rate ?? Number.NaN)).slice(-Number(rounds));
    all.means.push(mean(ratios));
  }
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const found = new Map(CLIENTS.map((clients): [number, Rounds] => [clients, { before: [], now: [], means: [] }]));
for (let start = 0; start < Number(starts); start++) await compare(found, start % 2 === 0, resolve(before));

console.log(
  `${starts} starts, ${rounds} rounds of ${seconds} s each, ${PARTNERS} partners; medians; processor time of one purchase in µs\n`,
);
console.log(
  'clients   before/s   now/s   mean ratio ± its error   of each start   Node before, now   PostgreSQL before, now',
);
for (const [clients, { before: then, now, means }] of found) {
  const all = mean(means);
  const variance = means.reduce((sum, one) => sum + (one - all) ** 2, 0) / (means.length - 1);
  const of = (list: readonly Round[], what: keyof Round) => median(list.map((one) => one[what])).toFixed();
  const cells: [string, number][] = [
    [String(clients), 7],
    [of(then, 'rate'), 11],
    [of(now, 'rate'), 8],
    [`${all.toFixed(3)} ± ${Math.sqrt(variance / means.length).toFixed(3)}`, 25],
    [means.map((one) => one.toFixed(2)).join(' '), 36],
    [`${of(then, 'node')}, ${of(now, 'node')}`, 19],
    [`${of(then, 'postgres')}, ${of(now, 'postgres')}`, 25],
  ];
  console.log(cells.map(([text, width]) => text.padStart(width)).join(''));
}
