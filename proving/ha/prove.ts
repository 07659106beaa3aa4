import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Cluster } from '../../deploy/ha/local/cluster.ts';
import { startPostgres } from '../../src/platform/db/embedded/embedded.ts';
import { migrate } from '../../src/platform/db/migrate/migrate.ts';
import { createLog } from '../../src/platform/log.ts';
import { ServerProcess } from '../../test/support/program/server-process.ts';
import { simulatedService } from '../../test/support/suppliers/simulated-service.ts';
import { stockShop } from '../bench/support/shop.ts';
import { dice } from '../chaos/dice.ts';
import { BACKUPS, Backups, noBackups } from './backups.ts';
import { Buyers } from './buyers.ts';
import { FAULTS, type Fault } from './faults.ts';
import { longestGap, recoveredAfter } from './gaps.ts';
import { Kept } from './kept.ts';
import { writeReport } from './report.ts';
import { auditOf, judge } from './verdict.ts';

interface ProofOptions {
  readonly minutes: number;
  readonly seed: number;
  /** Parts of the names of the faults to try. */
  readonly only: readonly string[] | undefined;
  /** The folder of the cluster; without it a temporary one is used. An interrupted proof continues there. */
  readonly dir: string | undefined;
}

const CLIENTS = 8;
const PROCESSES = 2;
const BROKEN_MS = 15_000;
const WHOLE_AGAIN_MS = 120_000;
const BETWEEN_MS = 5_000;

/**
 * Purchases through HAProxy from a cluster of three nodes (deploy/ha) in which one thing after the other breaks. At the end no
 * acknowledged purchase may be missing or doubled in the database, in the ledger or at the supplier, which has its own database.
 * Then backups: one by each of two leaders, a drill, and the whole cluster restored to a moment between two purchases.
 */
export async function prove(options: ProofOptions): Promise<boolean> {
  const { minutes, only, dir } = options;
  await using undo = new AsyncDisposableStack();
  const say = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)}  ${line}`);
  const folder = dir ?? join(tmpdir(), `wayfare-ha-${process.pid}`);
  await mkdir(join(folder, 'supplier'), { recursive: true });
  // PostgreSQL's user must be able to enter the folder.
  for (const part of [folder, join(folder, 'supplier')]) await chmod(part, 0o711);
  if (!dir) undo.defer(() => rm(folder, { recursive: true, force: true }));
  let isOver = false;
  // Ctrl-C ends the proof with its last checks, and leaves nothing running.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      isOver = true;
    });

  say(`${minutes} minutes; starting three nodes in ${folder}`);
  const unsaved = noBackups();
  const repository = unsaved ? {} : { repository: join(folder, 'repository') };
  const cluster = undo.use(await Cluster.start(join(folder, 'cluster'), repository));
  // From the first moment, so that everything breaks while the log is archived.
  const backups = unsaved ? undefined : await Backups.begin(cluster, folder);
  const elsewhere = await startPostgres(join(folder, 'supplier'), createLog('silent'));
  undo.defer(() => elsewhere.stop());
  await migrate(elsewhere.url);
  const supplier = undo.use(await simulatedService(elsewhere.url));
  const settings = {
    DATABASE_URL: cluster.url,
    SIMULATED_SUPPLIER_URL: supplier.url,
    WAYFARE_DATA: join(folder, 'data'),
    CARD_PAYMENTS: 'simulated',
    WAYFARE_DEMO: 'off',
    LOG_LEVEL: 'warn',
  };
  const kept = new Kept(folder);
  const { secret, keys, product, seed } = await kept.stocked(async () => {
    const fresh = { seed: options.seed, secret: randomBytes(32).toString('hex') };
    return { ...fresh, ...(await stockShop({ ...settings, WAYFARE_SECRET: fresh.secret }, CLIENTS)) };
  });
  const env = { ...settings, WAYFARE_SECRET: secret };
  const servers: ServerProcess[] = [];
  for (let i = 0; i < PROCESSES; i++)
    servers.push(undo.use(await ServerProcess.start({ dataDir: env.WAYFARE_DATA, env })));
  const buyers = new Buyers({
    keys,
    product,
    urls: servers.map(({ urls }) => urls.live),
    journal: kept.journal,
    acknowledged: await kept.acknowledged(),
  });
  const struck = await kept.struck();
  if (struck.length > 0) say(`going on after ${struck.length} faults and ${buyers.acknowledged.length} purchases`);

  const end = performance.now() + minutes * 60_000;
  const possible = FAULTS.filter(({ name }) => !only || only.some((part) => name.includes(part)));
  const skipped = possible.flatMap((fault) => {
    const why = fault.impossible?.(cluster);
    return why ? [{ name: fault.name, why }] : [];
  });
  const isBackedUp = !only || only.some((part) => BACKUPS.includes(part));
  if (isBackedUp && unsaved) skipped.push({ name: BACKUPS, why: unsaved });
  for (const { name, why } of skipped) say(`SKIPPED: ${name}: ${why}`);
  const faults = shuffledForEver(
    possible.filter((fault) => !fault.impossible?.(cluster)),
    seed,
  );
  for (let n = 0; n < struck.length; n++) faults.next();
  const wrong: string[] = [];
  await wait(BETWEEN_MS);
  while (!isOver && performance.now() < end && possible.length > 0) {
    const fault = faults.next().value as Fault;
    const from = performance.now();
    const heal = await fault.strike(cluster);
    await wait(BROKEN_MS);
    const healedAt = performance.now();
    await heal();
    const broken = await cluster.healthy(WHOLE_AGAIN_MS).then(
      () => undefined,
      (error: Error) => `${fault.name}: ${error.message}`,
    );
    await wait(BETWEEN_MS);
    const to = performance.now();
    const done = {
      name: fault.name,
      recoveredMs: recoveredAfter(buyers.moments, from, healedAt),
      healedMs: longestGap(buyers.moments, healedAt, to),
      // Until the next begins.
      minutes: (to - from) / 60_000,
    };
    struck.push(done);
    await kept.add(done);
    const left = Math.max(0, Math.ceil((end - to) / 60_000));
    say(
      `${fault.name}: purchases again after ${seconds(done.recoveredMs)}, interrupted ${seconds(done.healedMs)} by the repair; ` +
        `${buyers.acknowledged.length} acknowledged, about ${left} min left`,
    );
    if (broken) {
      say(broken);
      wrong.push(broken);
      break;
    }
  }
  const saved = isBackedUp && !isOver && wrong.length === 0 ? backups : undefined;
  const moment = saved && (await backUp(saved, cluster, buyers, say));
  say('stopping the clients and comparing');
  await buyers.stop();
  const verdict = await judge(buyers.acknowledged, env, elsewhere.url);
  const ended = servers.filter(({ child }) => child.exitCode !== null);
  wrong.push(...verdict.wrong, ...ended.map(({ stderr }) => `a process ended: ${stderr.slice(-500)}`));
  if (saved && moment) {
    await Promise.all(servers.map((server) => server.end('SIGTERM')));
    say('a drill to the end of the log, one to a moment, and the cluster restored to it');
    await saved.drill(secret);
    await saved.drill(secret, moment);
    await saved.restore(moment);
    const restored = await auditOf(env);
    wrong.push(...saved.findings.wrong, ...(restored ? [`after the restore ${restored}`] : []));
  }
  const outcome = {
    seed,
    only,
    struck,
    skipped,
    buyers,
    backups: saved?.findings.rows,
    verdict: { ...verdict, wrong },
  };
  return writeReport(outcome);
}

/** A full backup, another leader, what changed since then, and a moment after which more is bought. */
async function backUp(backups: Backups, cluster: Cluster, buyers: Buyers, say: (line: string) => void) {
  say('a full backup, the end of its leader, and another backup by the next');
  await backups.take('full');
  const leader = await cluster.nodeOf('leader');
  await leader.kill();
  await wait(BROKEN_MS);
  leader.start();
  await cluster.healthy(WHOLE_AGAIN_MS);
  await backups.take('diff');
  const moment = await backups.moment(buyers.acknowledged);
  await wait(BETWEEN_MS);
  return moment;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Each once before any comes again, in an order the seed decides. */
function* shuffledForEver(all: readonly Fault[], seed: number): Generator<Fault, never> {
  const { below } = dice(seed);
  for (;;) {
    const left = [...all];
    while (left.length > 0) yield left.splice(below(left.length), 1)[0] as Fault;
  }
}
