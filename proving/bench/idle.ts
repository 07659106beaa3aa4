import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { request } from 'undici';
import { freePort } from '../../test/support/program/ports.ts';
import { bigCatalog } from './support/big-catalog.ts';
import { benchDatabase } from './support/database.ts';

/**
 * The memory of a process that has started and has nothing to do, with a small and a big catalog. Resident memory counts the files it
 * has mapped (most of them the Node binary, which all its processes share); anonymous memory is what the process alone needs. With
 * BENCH_BEFORE, an earlier checkout (installed and built) takes turns with this one. The yardstick is a Node that does nothing.
 */
const LIMITS_MB = new Map([
  [10_000, 120],
  [50_000, 200],
]);
/** Time from ready to the measurement: by then the jobs run and the garbage of the start is collected. */
const SETTLE_MS = 20_000;
const checkouts = [process.cwd(), ...(process.env.BENCH_BEFORE ? [resolve(process.env.BENCH_BEFORE)] : [])];

interface Memory {
  readonly resident: number;
  readonly anonymous: number;
}

async function memoryOf(pid: number): Promise<Memory> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const mb = (name: string) => (Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(rollup)?.[1]) * 1024) / 1e6;
  return { resident: mb('Rss'), anonymous: mb('Anonymous') };
}

/** As npm runs it. */
async function idle(checkout: string, env: NodeJS.ProcessEnv): Promise<Memory> {
  const { scripts } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8'));
  const path = `${join(checkout, 'node_modules/.bin')}:${process.env.PATH}`;
  const child = spawn('/bin/sh', ['-c', scripts.start], {
    cwd: checkout,
    env: { ...process.env, ...env, PATH: path },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = once(child, 'exit');
  while ((await request(`${env.PANEL_URL}/readyz`).catch(() => undefined))?.statusCode !== 200) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    await sleep(50);
  }
  await sleep(SETTLE_MS);
  const memory = await memoryOf(child.pid ?? 0);
  child.kill('SIGTERM');
  await gone;
  return memory;
}

async function nothing(): Promise<Memory> {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1e6); console.log()']);
  await once(child.stdout, 'data');
  const memory = await memoryOf(child.pid ?? 0);
  child.kill();
  return memory;
}

const told = ({ resident, anonymous }: Memory) =>
  `${resident.toFixed()} MB resident, ${anonymous.toFixed()} MB of it anonymous`;

console.log(`Node that does nothing: ${told(await nothing())}`);
for (const [plans, limit] of LIMITS_MB) {
  await using database = await benchDatabase();
  const [panel, sandbox, live, legacy] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const env = {
    DATABASE_URL: database.url,
    WAYFARE_DATA: database.folder,
    DRAIN_SECONDS: '0',
    PANEL_URL: `http://localhost:${panel}`,
    SANDBOX_BASE_URL: `http://localhost:${sandbox}/v3`,
    LIVE_BASE_URL: `http://localhost:${live}/v3`,
    LEGACY_BASE_URL: `http://localhost:${legacy}`,
  };
  const file = join(database.folder, 'catalog.json');
  await writeFile(file, JSON.stringify(bigCatalog(plans)));
  for (const words of [['migrate'], ['catalog', 'import', file]])
    await promisify(execFile)(process.execPath, ['src/main.ts', ...words], { env: { ...process.env, ...env } });
  for (const checkout of checkouts) {
    const memory = await idle(checkout, env);
    const isOurs = checkout === process.cwd();
    const judged = isOurs ? `, limit ${limit}: ${memory.resident <= limit ? 'met' : 'missed'}` : '';
    console.log(`${plans} plans, ${isOurs ? 'now' : 'before'}: ${told(memory)}${judged}`);
    if (isOurs && memory.resident > limit) process.exitCode = 1;
  }
}
