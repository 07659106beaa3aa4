import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { seedDemoCatalog } from '../../../src/domains/catalog/catalog.ts';
import type { EventName } from '../../../src/domains/messages/events/events.ts';
import {
  createSubscription,
  pauseSubscription,
} from '../../../src/domains/messages/webhooks/subscriptions/subscriptions.ts';
import { lockWallets, post } from '../../../src/domains/money/ledger/transfers.ts';
import { createPartner } from '../../../src/domains/partners/accounts/accounts.ts';
import { createKey } from '../../../src/domains/partners/keys/keys.ts';
import { toCents } from '../../../src/platform/amounts/cents.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { startPostgres } from '../../../src/platform/db/embedded/embedded.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { enterSchema } from '../../../src/platform/db/search-path.ts';
import { createLog } from '../../../src/platform/log.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { type Base, openBase } from '../../../src/worlds/base.ts';
import { bundledServer } from '../program/bundled-server.ts';
import type { Fault, Order, StepReport } from '../program/fault-preload.ts';
import { freePort } from '../program/ports.ts';
import { simulatedService } from '../suppliers/simulated-service.ts';

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the contract says is there.
  body: any;
}

/** A live server in a process of its own, with a rich partner, that breaks at the step it is told to. */
export interface BreakableServer extends AsyncDisposable {
  readonly base: Base;
  readonly partnerId: number;
  /** Where its API is. */
  readonly url: string;
  /** The cheapest eSIM. */
  readonly product: string;
  /** Undefined: no answer came. */
  call(method: 'GET' | 'POST', path: string, form?: Record<string, string>): Promise<Answer | undefined>;
  /** The steps that the requests of `work` take. */
  countSteps(work: () => Promise<void>): Promise<string[]>;
  /** Breaks something at that step of the requests of `work`, and returns once the server is back. */
  breakAt(step: number, fault: Fault, work: () => Promise<void>): Promise<void>;
}

/**
 * `cash` is what the partner starts with. Its only subscription is paused: every event is written and none is sent. The supplier
 * gets `budgetSeconds` to answer.
 */
export async function breakableServer(
  cash: bigint,
  events: readonly EventName[],
  { budgetSeconds, settings = {} }: { budgetSeconds: number; settings?: NodeJS.ProcessEnv },
): Promise<BreakableServer> {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'wayfare-breakable-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o711);
  const { main, preload } = undo.use(await bundledServer());
  const postgres = await startPostgres(folder, createLog('silent'));
  undo.defer(() => postgres.stop());
  const supplier = undo.use(await simulatedService(postgres.url));
  const [port, panel] = [await freePort(), await freePort()];
  const live = `http://localhost:${port}/v3`;
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    // It is started once for each step it is killed at.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    DATABASE_URL: postgres.url,
    SIMULATED_SUPPLIER_URL: supplier.url,
    WAYFARE_DATA: folder,
    WAYFARE_SECRET: randomBytes(32).toString('hex'),
    WAYFARE_DEMO: 'off',
    LIVE_BASE_URL: live,
    PANEL_URL: `http://localhost:${panel}`,
    LISTEN_PORTS: `${port},${panel}`,
    PROVISION_BUDGET_SECONDS: String(budgetSeconds),
    LOG_LEVEL: 'silent',
    ...settings,
  };
  const base = undo.use(
    await openBase({ config: readConfig(env), clock: systemClock, log: createLog('silent'), as: 'migrator' }),
  );
  const { partnerId, key, product } = await base.db.tx(async (tx) => {
    const now = new Date();
    await seedDemoCatalog(tx, base.vault.sign);
    const id = await createPartner(tx, { name: 'Killed', email: 'k@example.com' }, now);
    const made = await createKey(tx, { partnerId: id, mode: 'live' });
    await tx.run(sql`
      update api_keys set tier_ceilings = '{"read": 1000000, "catalog": 1000000, "purchase": 1000000, "money": 1000000}'
      where id = ${made.keyId}`);
    const { alias } = await tx.one<{ alias: string }>(sql`
      select alias from plans where on_sale and refills is null order by list_price, id limit 1`);
    await enterSchema(tx, 'live');
    const transfers = [{ debit: 'bank_clearing', credit: 'cash', amount: toCents(cash) }] as const;
    await post(tx, await lockWallets(tx, [id]), [{ partnerId: id, book: 'wallet', type: 'topup', transfers, at: now }]);
    const wanted = { partnerId: id, url: 'https://partner.example/hook', events };
    const { subscriptionId } = await createSubscription(tx, base.vault, wanted, now.getTime());
    await pauseSubscription(tx, subscriptionId, now.getTime());
    return { partnerId: id, key: made.key, product: alias };
  });

  let server: ChildProcess = await start();
  undo.defer(async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  });

  async function start(): Promise<ChildProcess> {
    const started = spawn(process.execPath, ['--import', preload, main, 'start'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    started.stdout?.resume();
    await reachable(started);
    return started;
  }

  async function reachable(by: ChildProcess): Promise<void> {
    for (let tries = 0; tries < 3_000; tries++) {
      const answer = await call('GET', '/account/balance');
      if (answer?.status === 200) return;
      if (by.exitCode !== null || by.signalCode !== null) break;
      await sleep(25);
    }
    throw new Error('the server did not come back');
  }

  async function call(
    method: 'GET' | 'POST',
    path: string,
    form?: Record<string, string>,
  ): Promise<Answer | undefined> {
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

  const arm = (order: Order['arm']) => server.send({ arm: order } satisfies Order);

  const owned = undo.move();
  return {
    base,
    partnerId,
    url: live,
    product,
    call,
    async countSteps(work) {
      arm({ step: 0, fault: 'cut', postgresPid: 0 });
      await work();
      // The answer's own last step comes just after it has arrived here.
      await sleep(50);
      const report = once(server, 'message') as Promise<[StepReport]>;
      arm('count');
      return (await report)[0].steps;
    },
    async breakAt(step, fault, work) {
      const { pid } = postgres;
      arm({ step, fault, postgresPid: pid });
      await work();
      if (fault === 'kill') {
        if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
        server = await start();
        return;
      }
      // On a busy machine the old server can answer once more while it goes down: the next fault must meet the new one.
      for (let tries = 0; fault === 'stop' && tries < 200 && postgres.pid === pid; tries++) await sleep(25);
      await reachable(server);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
