import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSimulated } from '../../../src/domains/supply/adapters/simulated/simulated.ts';
import type { OrderAnswer, RefilledEsim, SupplierOrder } from '../../../src/domains/supply/port/port.ts';
import { toMicros } from '../../../src/platform/amounts/cents.ts';
import { startPostgres } from '../../../src/platform/db/embedded/embedded.ts';
import { migrate } from '../../../src/platform/db/migrate/migrate.ts';
import { createLog } from '../../../src/platform/log.ts';

const asked = (reference: string): SupplierOrder => ({
  reference,
  plan: 'one-gb',
  amountMb: 1024,
  day: 7,
  cost: toMicros(1n),
  paidAt: new Date(),
  orderedAt: new Date(),
  supplierOrder: null,
  refillOf: null,
  script: null,
});

const refillOf = (reference: string, esim: RefilledEsim): SupplierOrder => ({
  ...asked(reference),
  plan: 'two-gb-refill',
  amountMb: 2048,
  refillOf: esim,
});

const esimOf = (iccid: string) => ({ iccid, supplierOrder: null, day: 7, deliveredAt: new Date(), script: null });

/** The service as a separate process. */
async function startService(url: string): Promise<{ child: ChildProcess; address: string }> {
  const main = new URL('../../support/suppliers/simulated-server.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  return { child, address: String(line).trim() };
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('simulated: every order, refill and withdrawal that was answered is there again after SIGKILL of service and database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wayfare-killed-'));
  await chmod(folder, 0o711);
  await using undo = new AsyncDisposableStack();
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres(folder, createLog('silent'));
  undo.defer(() => postgres.stop());
  await migrate(postgres.url);

  const first = await startService(postgres.url);
  const before = openSimulated(first.address);
  const answered = new Map<string, unknown>();
  /** The last refill of each eSIM may have been stored without being answered. */
  const refills: { order: SupplierOrder; iccid: string; answer: OrderAnswer }[] = [];
  const withdrawn: string[] = [];
  const buyers = Array.from({ length: 16 }, async (_, buyer) => {
    for (let n = 0; ; n++) {
      const reference = `wf-killed-${buyer}-${n}`;
      const supplier = before.supplier('aurora');
      const answer = await supplier.order(asked(reference), 5_000);
      if (answer.outcome !== 'delivered') return;
      answered.set(reference, answer.esim);
      const esim = { ...esimOf(answer.esim.iccid), supplierOrder: answer.supplierOrder };
      if (n % 3 === 0 && (await supplier.withdraw?.(esim, 5_000))?.outcome === 'withdrawn') withdrawn.push(esim.iccid);
      if (n % 3 === 1) {
        const order = refillOf(`${reference}-refill`, esim);
        refills.push({ order, iccid: esim.iccid, answer: await supplier.order(order, 5_000) });
      }
    }
  });
  while (answered.size < 200) await new Promise((resolve) => setTimeout(resolve, 5));
  process.kill(postgres.pid, 'SIGKILL');
  await killed(first.child);
  await Promise.all(buyers);
  await before.close();

  const second = await startService(postgres.url);
  undo.defer(() => killed(second.child));
  const after = openSimulated(second.address);
  undo.defer(() => after.close());
  // The database comes back by itself; until then the service is only unavailable.
  while ((await after.supplier('aurora').find(asked('wf-killed-none'), 5_000)).outcome !== 'absent')
    await new Promise((resolve) => setTimeout(resolve, 100));
  const found = await Promise.all(
    [...answered.keys()].map((reference) => after.supplier('aurora').find(asked(reference), 10_000)),
  );
  assert.deepEqual(
    found.map((answer) => (answer.outcome === 'delivered' ? answer.esim : answer)),
    [...answered.values()],
  );

  assert.ok(refills.length > 20 && withdrawn.length > 20, `${refills.length} refills, ${withdrawn.length} withdrawals`);
  const supplier = after.supplier('aurora');
  await Promise.all(
    refills.map(async ({ order, iccid, answer }) => {
      const found = await supplier.find(order, 10_000);
      if (answer.outcome === 'refilled') assert.deepEqual(found, answer);
      const usage = await supplier.usage(esimOf(iccid), 10_000);
      assert.ok(usage.outcome === 'reading');
      assert.equal(usage.reading.totalMb, found.outcome === 'refilled' ? 1024 + 2048 : 1024);
    }),
  );
  await Promise.all(
    withdrawn.map(async (iccid) => assert.deepEqual(await supplier.usage(esimOf(iccid), 10_000), { outcome: 'none' })),
  );
});
