import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { createKey, createPartner } from '../../src/accounts/accounts.ts';
import { type Base, openBase } from '../../src/base.ts';
import { importCatalog, seedDemoCatalog } from '../../src/catalog/catalog.ts';
import { systemClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { type EmbeddedPostgres, startPostgres } from '../../src/db/embedded.ts';
import { sql } from '../../src/db/sql.ts';
import { createLog } from '../../src/log.ts';
import { toCents } from '../../src/money/cents.ts';
import { lockWallets, post } from '../../src/money/ledger.ts';
import { proveBooks } from '../../src/money/proof.ts';
import { createSubscription, pauseSubscription } from '../../src/webhooks/webhooks.ts';
import type { Fault, Order, Told } from '../support/fault-preload.ts';
import { freePort } from '../support/ports.ts';

/**
 * A purchase is broken at every step it takes: the process killed, its database connections cut, PostgreSQL stopped. Each
 * time it must be finished or never have happened, and the same key must give the one recorded outcome. The same for a refill,
 * which is only killed, and only from its commit on: up to there a purchase and a refill take the same steps.
 */
const faults: readonly Fault[] = ['kill', 'cut', 'stop'];
/** Of a refill, in MB. */
const REFILL_MB = 512;
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const preload = new URL('../support/fault-preload.ts', import.meta.url).href;

let folder: string;
let postgres: EmbeddedPostgres;
let base: Base;
let env: NodeJS.ProcessEnv;
let server: ChildProcess;
let live: string;
let product: string;
let refillProduct: string;
let iccid: string;
let partnerId: number;
let key: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wayfare-killed-'));
  await chmod(folder, 0o711);
  postgres = await startPostgres(folder, createLog('silent'));
  const [port, panel] = [await freePort(), await freePort()];
  live = `http://localhost:${port}/v3`;
  env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATABASE_URL: postgres.url,
    WAYFARE_DATA: folder,
    WAYFARE_SECRET: randomBytes(32).toString('hex'),
    WAYFARE_DEMO: 'off',
    LIVE_BASE_URL: live,
    PANEL_URL: `http://localhost:${panel}`,
    LISTEN_PORTS: `${port},${panel}`,
    PROVISION_BUDGET_SECONDS: '1',
    LOG_LEVEL: 'silent',
  };
  base = await openBase({ config: readConfig(env), clock: systemClock, log: createLog('silent'), as: 'guest' });
  await base.db.tx(async (tx) => {
    const now = new Date();
    await seedDemoCatalog(tx, base.vault.sign);
    partnerId = await createPartner(tx, { name: 'Killed', email: 'k@example.com' }, now);
    const made = await createKey(tx, { partnerId, mode: 'live' });
    key = made.key;
    await tx.run(sql`update api_keys set tier_ceilings = '{"purchase": 1000000}' where id = ${made.keyId}`);
    const plan = await tx.one<{ alias: string; code: string; slug: string; destination: string }>(sql`
      select plans.alias, plans.supplier_plan as code, suppliers.slug, plans.destination
      from plans join suppliers on suppliers.id = plans.supplier_id
      where on_sale and refills is null order by list_price, plans.id limit 1`);
    product = plan.alias;
    const { destination, code } = plan;
    const terms = { amount: REFILL_MB, day: 1, network_type: '4G', price: 2, cost: 1, refills: [code] };
    const entry = { code: 'killed-refill', destination, title: 'Refill', ...terms };
    const supplier = { slug: plan.slug, title: plan.slug, kind: 'simulated' };
    await importCatalog(tx, { supplier, full: false, destinations: [], plans: [{ entry, line: 1 }] }, base.vault.sign);
    refillProduct = (
      await tx.one<{ alias: string }>(sql`select alias from plans where supplier_plan = 'killed-refill'`)
    ).alias;
    await tx.run(sql`set local search_path = live, shared`);
    await post(tx, await lockWallets(tx, [partnerId]), [
      {
        partnerId,
        book: 'wallet',
        type: 'topup',
        transfers: [{ debit: 'bank_clearing', credit: 'cash', amount: toCents(1_000_000n) }],
        at: now,
      },
    ]);
    // Paused: every event is written and none is sent.
    const events = ['order.created', 'order.paid', 'order.delivered', 'order.deferred', 'order.failed'] as const;
    const wanted = { partnerId, url: 'https://partner.example/hook', events: [...events] };
    const { subscriptionId } = await createSubscription(tx, base.vault, wanted, now.getTime());
    await pauseSubscription(tx, subscriptionId, now.getTime());
  });
  await start();
});

after(async () => {
  server.kill('SIGKILL');
  await base[Symbol.asyncDispose]();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  server = spawn(process.execPath, ['--import', preload, main, 'start'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  server.stdout?.resume();
  await reachable();
}

/** On a busy machine the old server can answer once more while it goes down: the next fault must meet the new one. */
async function replaced(pid: number): Promise<void> {
  for (let tries = 0; tries < 200 && postgres.pid === pid; tries++) await sleep(25);
}

async function reachable(): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await call('GET', '/account/balance');
    if (answer?.status === 200) return;
    if (server.exitCode !== null || server.signalCode !== null) break;
    await sleep(25);
  }
  throw new Error('the server did not come back');
}

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the contract says is there.
  body: any;
}

async function call(method: 'GET' | 'POST', path: string, form?: Record<string, string>): Promise<Answer | undefined> {
  try {
    const answer = await request(live + path, {
      method,
      headers: { 'x-api-key': key, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
      ...(form && { body: new URLSearchParams(form).toString() }),
    });
    return { status: answer.statusCode, body: await answer.body.json() };
  } catch {
    return undefined;
  }
}

type Sell = (idempotencyKey: string) => Promise<Answer | undefined>;
const buy: Sell = (idempotency_key) => call('POST', '/purchase/buy', { product_id: product, idempotency_key });
const refill: Sell = (idempotency_key) =>
  call('POST', '/purchase/refill', { iccid, product_id: refillProduct, idempotency_key });
const arm = (order: Order['arm']) => server.send({ arm: order } satisfies Order);

async function countSteps(sell: Sell, name: string): Promise<string[]> {
  await sell(`${name}-warm`);
  arm({ step: 0, fault: 'cut', postgresPid: 0 });
  assert.equal((await sell(`${name}-counted`))?.body.delivery, 'delivered');
  // The answer's own last step comes just after it has arrived here.
  await sleep(50);
  const told = once(server, 'message') as Promise<[Told]>;
  arm('count');
  return (await told)[0].steps;
}

/** Breaks a sale at each of its steps, from the `first` on; returns the key of each try. */
async function breakEverywhere(
  sell: Sell,
  name: string,
  fault: Fault,
  steps: readonly string[],
  first = 1,
): Promise<string[]> {
  const broken: string[] = [];
  for (let step = first; step <= steps.length; step++) {
    const idempotencyKey = `${name}-${fault}-${step}`;
    const { pid } = postgres;
    arm({ step, fault, postgresPid: pid });
    const answer = await sell(idempotencyKey);
    if (answer) {
      const told = [200, 202, 500, 503].includes(answer.status);
      assert.ok(told, `${idempotencyKey} (${steps[step - 1]}): ${JSON.stringify(answer)}`);
    }
    if (fault === 'kill') {
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
      await start();
    } else {
      if (fault === 'stop') await replaced(pid);
      await reachable();
    }
    broken.push(idempotencyKey);
  }
  return broken;
}

/** The one outcome of each key, once it has come to an end. */
async function outcomesOf(sell: Sell, keys: readonly string[]): Promise<void> {
  const outcomes = new Map<string, Answer>();
  const settle = async (idempotencyKey: string): Promise<void> => {
    for (let tries = 0; tries < 160; tries++) {
      const answer = await sell(idempotencyKey);
      if (answer?.status === 200) return void outcomes.set(idempotencyKey, answer);
      assert.ok(answer === undefined || answer.status !== 402, JSON.stringify(answer?.body));
      await sleep(500);
    }
    throw new Error(`${idempotencyKey} never came to an end`);
  };
  await Promise.all(keys.map(settle));
  const ids = new Set<number>();
  for (const [idempotencyKey, { body }] of outcomes) {
    assert.equal(body.delivery, 'delivered', idempotencyKey);
    ids.add(body.order_id);
    assert.equal((await sell(idempotencyKey))?.body.order_id, body.order_id, 'a retry gives the recorded outcome');
  }
  assert.equal(ids.size, keys.length, 'one order per key');
}

// The charge, the supplier, the delivery and the answer: whatever the path between them becomes, these must be met.
function assertMet(steps: readonly string[]): void {
  for (const met of [
    /^before begin/,
    /^(before|after) commit/,
    /^(before|after) the call/,
    /^(before|after) with moved/,
  ])
    assert.ok(
      steps.some((label) => met.test(label)),
      `${met} is not among ${steps.join(', ')}`,
    );
  assert.ok(steps.length >= 20, `too few steps found: ${steps.join(', ')}`);
}

/** Whatever was sold: the books add up, every order told its story once, and nothing was ordered twice. */
async function assertNothingDoubled(): Promise<void> {
  const { db } = base.worlds.live;
  assert.deepEqual((await proveBooks(db, () => {})).drift, []);
  const events = await db.query<{ order_id: bigint; events: string }>(sql`
    select o.id as order_id, coalesce(string_agg(d.event_type, ' ' order by d.event_type), '') as events
    from orders o left join webhook_deliveries d on d.order_id = o.id group by o.id`);
  for (const row of events) {
    const told = row.events.split(' ').filter((event) => event !== 'order.deferred');
    assert.deepEqual(told.sort(), ['order.created', 'order.delivered', 'order.paid'], `${row.order_id}: ${row.events}`);
  }
  const { doubled } = await base.db.one<{ doubled: number }>(sql`
    select count(*)::int as doubled from simulated.orders where calls > 1`);
  assert.equal(doubled, 0, 'nothing was ordered twice at the supplier');
}

test('a purchase broken at any step, in any of three ways, is finished or never happened', {
  timeout: 600_000,
}, async (t) => {
  const steps = await countSteps(buy, 'buy');
  assertMet(steps);
  const broken: string[] = [];
  for (const fault of faults) broken.push(...(await breakEverywhere(buy, 'buy', fault, steps)));
  await outcomesOf(buy, broken);
  await assertNothingDoubled();
  t.diagnostic(
    `${steps.length} steps found, ${broken.length} purchases broken: ${steps.length} by each of ${faults.join(', ')}`,
  );
  t.diagnostic(`steps: ${steps.join(' | ')}`);
});

test('a refill killed at any step from its commit on is finished or never happened, and its data is added once', {
  timeout: 300_000,
}, async (t) => {
  const bought = await buy('to-refill');
  iccid = (await call('GET', `/order/detail/${bought?.body.order_id}`))?.body.esim.iccid;
  const totalMb = async () => (await call('GET', `/order/usage/${iccid}`))?.body.usage.total_mb;
  const before = await totalMb();
  const steps = await countSteps(refill, 'refill');
  assertMet(steps);
  const commit = 1 + steps.findIndex((label) => label.startsWith('before commit'));
  const broken = await breakEverywhere(refill, 'refill', 'kill', steps, commit);
  await outcomesOf(refill, broken);
  await assertNothingDoubled();
  // Those that were broken, the one that warmed up and the one that was counted.
  assert.equal(await totalMb(), before + (broken.length + 2) * REFILL_MB);
  t.diagnostic(`${steps.length} steps found, ${broken.length} refills killed`);
});
