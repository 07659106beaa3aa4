import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { testApp } from '../../support/program/app.ts';

/**
 * Processor time, so that a busy machine makes no difference; the least of a few, so that a collection of garbage makes none. A machine
 * whose host gives it half a core takes twice as long for everything, so the limit is told in a fixed piece of work done beside it: 125 ms
 * where that takes about 100. It is JavaScript's own, because some processors calculate hashes in hardware.
 */
const LIMIT = 125 / 100;
const WORK = JSON.stringify(
  Array.from({ length: 100_000 }, (_, n) => ({ id: n, name: `row ${n}`, tags: [`${n % 7}`] })),
);

const processorMs = async (work: () => unknown): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

test('once the program is loaded, a start takes at most an eighth of a second of processor time', async (t) => {
  const [starts, works]: [number[], number[]] = [[], []];
  for (let n = 0; n < 4; n++) {
    await using undo = new AsyncDisposableStack();
    starts.push(await processorMs(async () => undo.use(await testApp())));
    works.push(await processorMs(() => JSON.stringify(JSON.parse(WORK))));
  }
  const [start, work] = [Math.min(...starts), Math.min(...works)];
  t.diagnostic(
    `a start takes ${start.toFixed()} ms of processor time, the piece of work beside it ${work.toFixed()} ms`,
  );
  assert.ok(start <= LIMIT * work, `${start.toFixed()} ms`);
});

test('help does not load the base, which is most of the program', async () => {
  const count = `import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) { process.stderr.write(url + '\\n'); return next(url, context); } });`;
  const { stderr } = await promisify(execFile)(process.execPath, [
    ...['--import', `data:text/javascript,${encodeURIComponent(count)}`],
    ...['test/support/program/bundled-main.ts', '--help'],
  ]);
  assert.match(stderr, /src\/entry\/cli\/backup\.ts$/m);
  assert.doesNotMatch(stderr, /src\/worlds\/base\.ts$|prom-client/m);
});

// prom-client requires the interface by itself.
test('without a collector nothing of OpenTelemetry is loaded but its interface', async () => {
  const { cache } = createRequire(import.meta.url);
  const loaded = () => Object.keys(cache).filter((file) => /\/@opentelemetry\/(?!api\/)/.test(file));
  await using _ = await testApp();
  assert.deepEqual(loaded(), []);
  await import('@opentelemetry/sdk-trace');
  assert.ok(loaded().length > 0);
});
