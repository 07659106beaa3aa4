import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { request } from 'undici';
import { migrationsOnDisk } from '../../../src/platform/db/migrate/migrations.ts';
import { testFolder } from '../../support/database/folder.ts';
import { freshDatabase } from '../../support/database/postgres.ts';
import { eventually } from '../../support/eventually.ts';
import { wayfare } from '../../support/program/cli.ts';
import { ServerProcess } from '../../support/program/server-process.ts';

/** The releases that this version works beside, as the history of this clone has them. */
const RELEASES = {
  '0.2.0': '9b74daffc00a4d23688faee55529e82fcd19302d',
  'the one before 0.2.0': '5afebb62ee83d2c70f2b8f8362951efc49fa6247',
} as const;
const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

/** Why a release cannot be started here. */
const missing = (commit: string): Promise<string | false> =>
  run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: CHECKOUT }).then(
    () => false,
    () => `this clone does not have commit ${commit.slice(0, 8)}: clone with the whole history`,
  );

/** Its sources, with the packages that are installed here, and what its own `npm ci` would have generated. */
async function sourcesOf(commit: string, folder: string): Promise<string> {
  const checkout = join(folder, 'previous');
  await mkdir(checkout);
  await run('sh', ['-c', `git archive ${commit} | tar -x -C "$1"`, 'sh', checkout], { cwd: CHECKOUT });
  await symlink(join(CHECKOUT, 'node_modules'), join(checkout, 'node_modules'));
  if (!existsSync(join(checkout, 'sdk/src/version.ts')))
    await run(process.execPath, ['sdk/generate.ts'], { cwd: checkout });
  return checkout;
}

/** Buys one plan after the other and counts the answers by status. */
function shopper(at: string, key: string, product: string) {
  const seen = new Map<string, number>();
  let isOver = false;
  const buying = (async () => {
    while (!isOver) {
      const outcome = await request(`${at}/purchase/buy`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ product_id: product, idempotency_key: randomBytes(8).toString('hex') }).toString(),
      }).then(async ({ statusCode, body }) => {
        const said = await body.text();
        return statusCode === 200 ? '200' : `${statusCode} ${said}`;
      }, String);
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      await wait(100);
    }
  })();
  return {
    seen,
    bought: () => seen.get('200') ?? 0,
    async stop(): Promise<void> {
      isOver = true;
      await buying;
    },
  };
}

for (const [release, commit] of Object.entries(RELEASES))
  test(`a server of a release sells while this version migrates beside it, and until it is stopped: ${release}`, {
    skip: await missing(commit),
  }, async () => {
    await using undo = new AsyncDisposableStack();
    const { path: folder } = undo.use(await testFolder(0o711));
    const { url, drop } = await freshDatabase('template template0');
    undo.defer(drop);
    const checkout = await sourcesOf(commit, folder);
    const settings = {
      DATABASE_URL: url,
      WAYFARE_SECRET: randomBytes(32).toString('hex'),
      WAYFARE_DEMO: 'on',
      LOG_LEVEL: 'warn',
    };
    const old = undo.use(await ServerProcess.start({ dataDir: join(folder, 'old'), env: settings, checkout }));
    const owner = undo.adopt(new pg.Client(url), (client) => client.end());
    await owner.connect();
    const { rows: before } = await owner.query<{ id: string }>('select id from shared.migrations');
    const [sandboxKey = '', liveKey = ''] = ['sandbox', 'live'].map(
      (mode) => RegExp(`${mode} key +(\\w+)`).exec(old.stdout)?.[1],
    );
    // The cheapest plan, so that the demo's money lasts, and no limit on purchases.
    const { rows } = await owner.query<{ alias: string }>(
      'select alias from shared.plans where on_sale and refills is null and list_price > 0 order by list_price limit 1',
    );
    const product = rows[0]?.alias ?? '';
    await owner.query(`update shared.api_keys set tier_ceilings = '{"purchase": 1000000}'`);
    await run(process.execPath, ['src/main.ts', 'wallet', 'credit', '--partner', '1', '--amount', '5000'], {
      cwd: checkout,
      env: { ...process.env, ...settings },
    });

    const shoppers = [shopper(old.urls.sandbox, sandboxKey, product), shopper(old.urls.live, liveKey, product)];
    for (const { stop } of shoppers) undo.defer(stop);
    const requireSales = (all: typeof shoppers) => {
      for (const { seen } of all)
        assert.deepEqual(
          [...seen.keys()].filter((outcome) => outcome !== '200'),
          [],
        );
    };
    const goOn = async (what: string) => {
      const counts = shoppers.map(({ bought }) => bought());
      await eventually(what, async () => {
        requireSales(shoppers);
        return shoppers.every(({ bought }, i) => bought() > (counts[i] ?? 0) + 3);
      });
    };
    await goOn('the previous release sells');
    const now = undo.use(await ServerProcess.start({ dataDir: join(folder, 'new'), env: settings }));
    const { rows: after } = await owner.query<{ id: string }>('select id from shared.migrations');
    assert.deepEqual(new Set(after.map(({ id }) => id)), new Set((await migrationsOnDisk()).map(({ id }) => id)));
    assert.ok(after.length > before.length, 'this version had something to migrate');
    await goOn('the previous release sells on the new schema');
    for (const { stop } of shoppers) await stop();
    requireSales(shoppers);
    assert.equal(await old.end('SIGTERM'), 0);

    const successor = [shopper(now.urls.sandbox, sandboxKey, product), shopper(now.urls.live, liveKey, product)];
    for (const { stop } of successor) undo.defer(stop);
    await eventually('this version serves', async () => successor.every(({ bought }) => bought() > 3));
    for (const { stop } of successor) await stop();
    requireSales(successor);
    for (const [i, world] of ['sandbox', 'live'].entries()) {
      const { rows: orders } = await owner.query(
        `select count(*)::int as n from ${world}.orders where status in (1, 4)`,
      );
      assert.equal(orders[0].n, (shoppers[i]?.bought() ?? 0) + (successor[i]?.bought() ?? 0));
    }
    const audit = await wayfare(settings, 'audit', '--json');
    assert.equal(audit.code, 0, audit.stderr + audit.stdout);
  });
