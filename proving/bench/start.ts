import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { freePort } from '../../test/support/program/ports.ts';

/**
 * How long a person waits for a start and for a command: wall and processor time of the first start in an empty folder, of a later one,
 * and of two commands beside it. With BENCH_BEFORE, an earlier checkout (installed and built) takes turns with this one. The yardstick is
 * a Node that does nothing.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const before = process.env.BENCH_BEFORE;
const LIMITS = {
  'first start': 2.5,
  'later start': 1,
  'partner list': 0.4,
  '--help': 0.4,
  'node --eval 0': Number.POSITIVE_INFINITY,
};
/** Linux counts processor time in these. */
const TICKS_PER_SECOND = 100;

type What = keyof typeof LIMITS;
interface Taken {
  readonly wall: number;
  readonly processor: number;
}

/** Seconds of processor time of a process, or only those of its children that have ended. */
async function processorOf(pid: number | 'self', which: 'all' | 'children'): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(which === 'all' ? 11 : 13, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / TICKS_PER_SECOND;
}

/** What is measured of one checkout. */
class Checkout {
  readonly taken = new Map<What, Taken[]>();
  readonly #folder: string;
  readonly #scripts: Record<string, string>;

  constructor(folder: string, scripts: Record<string, string>) {
    this.#folder = folder;
    this.#scripts = scripts;
  }

  /** As npm runs a script, without npm itself: that takes a fifth of a second, whatever it runs. */
  #run(name: 'start' | 'wayfare', words: string, env: NodeJS.ProcessEnv): ChildProcess {
    const path = `${join(this.#folder, 'node_modules/.bin')}:${process.env.PATH}`;
    return spawn('/bin/sh', ['-c', `${this.#scripts[name]} ${words}`], {
      cwd: this.#folder,
      env: { ...process.env, ...env, PATH: path },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  note(what: What, taken: Taken): void {
    this.taken.set(what, [...(this.taken.get(what) ?? []), taken]);
  }

  async start(what: What, env: NodeJS.ProcessEnv): Promise<AsyncDisposable> {
    const begun = performance.now();
    const child = this.#run('start', '', env);
    const pid = child.pid ?? 0;
    for (;;) {
      const ready = await request(`${env.PANEL_URL}/readyz`).catch(() => undefined);
      await ready?.body.dump();
      if (ready?.statusCode === 200) break;
      if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
      await sleep(5);
    }
    this.note(what, { wall: (performance.now() - begun) / 1000, processor: await processorOf(pid, 'all') });
    return {
      async [Symbol.asyncDispose]() {
        const gone = once(child, 'exit');
        child.kill('SIGTERM');
        await gone;
      },
    };
  }

  async command(what: 'partner list' | '--help', env: NodeJS.ProcessEnv): Promise<void> {
    this.note(what, await untilEnded(() => this.#run('wayfare', what, env)));
  }
}

async function untilEnded(spawned: () => ChildProcess): Promise<Taken> {
  const [begun, used] = [performance.now(), await processorOf('self', 'children')];
  const [code] = await once(spawned(), 'exit');
  if (code !== 0) throw new Error(`ended with ${code}`);
  const processor = (await processorOf('self', 'children')) - used;
  return { wall: (performance.now() - begun) / 1000, processor };
}

async function open(folder: string): Promise<Checkout> {
  return new Checkout(folder, JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).scripts);
}

async function round(checkout: Checkout): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'wayfare-start-'));
  // As root, the database runs as another user, who must be able to enter the folder.
  await chmod(data, 0o711);
  const [panel, sandbox, live, legacy] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const env = {
    WAYFARE_DATA: data,
    PANEL_URL: `http://localhost:${panel}`,
    SANDBOX_BASE_URL: `http://localhost:${sandbox}/v3`,
    LIVE_BASE_URL: `http://localhost:${live}/v3`,
    LEGACY_BASE_URL: `http://localhost:${legacy}`,
  };
  await using undo = new AsyncDisposableStack();
  undo.defer(() => rm(data, { recursive: true, force: true }));
  await (await checkout.start('first start', env))[Symbol.asyncDispose]();
  undo.use(await checkout.start('later start', env));
  await checkout.command('partner list', env);
  await checkout.command('--help', env);
  checkout.note('node --eval 0', await untilEnded(() => spawn(process.execPath, ['--eval', '0'])));
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const ours = await open(process.cwd());
const earlier = before ? await open(resolve(before)) : undefined;
for (let n = 0; n <= rounds; n++) {
  const both = earlier ? (n % 2 === 0 ? [ours, earlier] : [earlier, ours]) : [ours];
  for (const checkout of both) await round(checkout);
  // The first fills the cache of compiled code and is not counted.
  if (n === 0) for (const checkout of both) checkout.taken.clear();
}

console.log(`${rounds} rounds; medians in seconds, the least in parentheses\n`);
let missed = false;
for (const what of Object.keys(LIMITS) as What[])
  for (const [name, checkout] of [
    ['before', earlier],
    ['now', ours],
  ] as const) {
    if (!checkout) continue;
    const taken = checkout.taken.get(what) ?? [];
    const told = (of: keyof Taken) => {
      const all = taken.map((one) => one[of]);
      return `${median(all).toFixed(2)} (${Math.min(...all).toFixed(2)})`;
    };
    const met = median(taken.map(({ wall }) => wall)) <= LIMITS[what];
    if (checkout === ours && !met) missed = true;
    const limit = Number.isFinite(LIMITS[what]) ? `, limit ${LIMITS[what]}: ${met ? 'met' : 'missed'}` : '';
    console.log(`${what.padEnd(14)} ${name.padEnd(7)} wall ${told('wall')}, processor ${told('processor')}${limit}`);
  }
process.exitCode = missed ? 1 : 0;
