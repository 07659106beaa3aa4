import { setTimeout as wait } from 'node:timers/promises';
import { SECOND, systemClock } from '../../src/platform/clock.ts';
import { createLog } from '../../src/platform/log.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import { openBase } from '../../src/worlds/base.ts';
import { usedBy, usedByPostgres } from '../bench/support/processor-time.ts';
import { since } from './build.ts';
import { claimOfDeliveries, openJobs } from './jobs.ts';
import { beside, type Figure, type Measured, type Row, requestsOf } from './measure.ts';
import { thingsOf } from './reads.ts';
import { type Asked, writeReport } from './report.ts';
import { openSite, type Served, type Site } from './site.ts';
import { upkeep } from './upkeep.ts';

interface ScaleOptions extends Asked {
  /** Where both databases are kept. A build that was ended goes on there, and one that is finished is only measured. */
  readonly dir: string | undefined;
  readonly onlyBuild: boolean;
}

/**
 * Two installations that differ only in size, on one machine: the same requests, pages and jobs at both in turn. A call that takes longer
 * at the larger one has read more than it should. At the end, purchases during maintenance of the larger one.
 */
export async function prove(options: ScaleOptions): Promise<boolean> {
  const { orders, calls } = options;
  const say = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)}  ${line}`);
  await using undo = new AsyncDisposableStack();
  // Ctrl-C leaves nothing running. What was built in a named folder is still there.
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, async () => {
      await undo.disposeAsync();
      process.exit(1);
    });
  const small = undo.use(await openSite({ ...options, orders: options.beside, say }));
  const large = undo.use(await openSite({ ...options, orders, say }));
  if (options.onlyBuild) return small.proved.drift + large.proved.drift === 0;
  const servedSmall = undo.use(await small.serve());
  const servedLarge = undo.use(await large.serve());
  await settled([small, large], say);
  const rows: Row[] = [];
  type Side = { readonly all: readonly Measured[]; used(): number };
  async function compare(these: Side, those: Side): Promise<void> {
    const began = performance.now();
    const wanted = [...these.all.entries()].filter(([, { name }]) => options.only?.test(name) ?? true);
    for (const [done, [i, one]] of wanted.entries()) {
      const other = those.all[i] as Measured;
      const row = await beside(
        [
          { one, used: these.used },
          { one: other, used: those.used },
        ],
        calls,
      );
      rows.push(row);
      const left = (since(began) / (done + 1)) * (wanted.length - done - 1);
      const figures = row.failure ?? `${shown(row.small)}${shown(row.large)}`;
      say(`${row.name.padEnd(64)}${figures}   ${done + 1}/${wanted.length}, ${left.toFixed()} s left`);
    }
  }
  await compare(
    {
      all: await requestsAt(small, servedSmall),
      used: () => usedByPostgres(small.folder) + usedBy(servedSmall.server.pid),
    },
    {
      all: await requestsAt(large, servedLarge),
      used: () => usedByPostgres(large.folder) + usedBy(servedLarge.server.pid),
    },
  );
  {
    await using jobsSmall = await openJobs(small);
    await using jobsLarge = await openJobs(large);
    const { signal } = new AbortController();
    const side = async (site: Site, jobs: typeof jobsSmall.jobs): Promise<Side> => ({
      all: [
        ...jobs.map(({ name, run }) => ({ name: `job: ${name}`, run: () => run(signal) })),
        await claimOfDeliveries(site),
      ],
      used: () => usedByPostgres(site.folder),
    });
    await compare(await side(small, jobsSmall.jobs), await side(large, jobsLarge.jobs));
  }
  const meanwhile = await upkeep(large, servedLarge, say);
  return writeReport({ options, small, large, rows, meanwhile });
}

async function requestsAt(site: Site, served: Served): Promise<Measured[]> {
  const log = createLog('silent');
  await using base = await openBase({ config: readConfig(site.env), clock: systemClock, log, as: 'guest' });
  return requestsOf(site, served, base, await thingsOf(site));
}

/** Longer than an unused connection is kept: what it used is counted less exactly once it has ended. */
const SETTLED_SECONDS = 35;
const MOST_SECONDS = 900;
/** Of one processor. Jobs that find nothing to do take less. */
const SETTLED_SHARE = 0.1;

/**
 * Waits until both databases have been idle for a while. After a build or migration a database is vacuumed and analyzed once more, and a
 * program that was just started catches up; neither is part of a request's cost.
 */
async function settled(sites: readonly Site[], say: (line: string) => void): Promise<void> {
  const used = () => sites.reduce((sum, { folder }) => sum + usedByPostgres(folder), 0);
  for (let quiet = 0, waited = 0; quiet < SETTLED_SECONDS; waited++) {
    if (waited === MOST_SECONDS) return say(`the databases are still busy after ${waited} s`);
    const before = used();
    await wait(SECOND);
    quiet = (used() - before) / 1e6 < SETTLED_SHARE ? quiet + 1 : 0;
  }
  say('the databases have nothing else to do');
}

const shown = ({ ms, cpuMs }: Figure): string => `${ms.toFixed(1).padStart(9)}${cpuMs.toFixed(1).padStart(7)}`;
