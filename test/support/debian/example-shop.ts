import { once } from 'node:events';
import { serve } from '@hono/node-server';
import type { Hono } from 'hono';
import { shopApp } from '../../../examples/shop/app.ts';
import { subscribe } from '../../../examples/shop/hook.ts';
import { type OpenShop, openShop } from '../../../examples/shop/open.ts';
import { readSettings } from '../../../examples/shop/settings.ts';
import type { Mode } from '../../../src/platform/contract/mode.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import type { Demo } from '../../../src/worlds/demo.ts';
import { testFolder } from '../database/folder.ts';
import { record, type TestApp, testApp } from '../program/app.ts';
import { demoIn } from '../program/demo-app.ts';
import { run } from '../program/operator.ts';
import { freePort } from '../program/ports.ts';

export const ADMIN = { username: 'admin', password: 'the password of the shop' };

/** `examples/shop` beside a server with the data of a first start, both in the test's own process. */
export interface ExampleShop extends AsyncDisposable {
  readonly t: TestApp;
  readonly demo: Demo;
  readonly shop: OpenShop;
  readonly url: string;
  readonly settings: Record<string, string>;
}

export async function exampleShop(mode: Mode = 'sandbox'): Promise<ExampleShop> {
  await using undo = new AsyncDisposableStack();
  const [sandbox, live, legacy, panel, port] = await Promise.all(Array.from({ length: 5 }, freePort));
  // Read as the settings of a server with a database of its own, which the test then gives it.
  const { dataDir, databaseUrl, secret, ...config } = readConfig({
    DATABASE_URL: 'postgres://the.test/database',
    SANDBOX_BASE_URL: `http://localhost:${sandbox}/v3`,
    LIVE_BASE_URL: `http://localhost:${live}/v3`,
    LEGACY_BASE_URL: `http://localhost:${legacy}`,
    PANEL_URL: `http://localhost:${panel}`,
    WEBHOOK_TRUSTED_HOSTS: `localhost:${port}`,
  });
  const t = undo.use(await testApp({ config: { ...config, listenPorts: undefined }, demo: true }));
  const demo = await demoIn(t);
  const create = `key create --partner ${demo.partnerId} --mode ${mode} --permissions read,buy,money,webhooks`;
  const made = await run(t.operator(), create);
  record('secrets', `${made.key}\n`);
  const ceilings = 'catalog=90000,read=90000,purchase=90000,money=90000,outbound=90000';
  await run(t.operator(), `key set ${made.key_id} --ceilings ${ceilings}`);

  const settings = {
    WAYFARE_KEY: made.key,
    WAYFARE_URL: `http://localhost:${mode === 'sandbox' ? sandbox : live}/v3`,
    PORT: String(port),
    SHOP_DATA: undo.use(await testFolder(0o700)).path,
  };
  const read = readSettings(settings);
  const shop = await openShop(read);
  undo.defer(() => shop.store[Symbol.dispose]());
  const webhookSecret = await subscribe(shop, `${read.url}/hook`);
  record('secrets', `${webhookSecret}\n`);
  const app = await shopApp(shop, { name: read.name, adminPassword: ADMIN.password, webhookSecret });
  undo.use(await served(app, read.port));
  const opened = undo.move();
  return { t, demo, shop, url: read.url, settings, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** A website of its own, on a free port unless one is given. */
export async function served(app: Hono, port?: number): Promise<{ readonly url: string } & AsyncDisposable> {
  const at = port ?? (await freePort());
  const server = serve({ fetch: app.fetch, port: at });
  await once(server, 'listening');
  return {
    url: `http://localhost:${at}`,
    async [Symbol.asyncDispose]() {
      if ('closeAllConnections' in server) server.closeAllConnections();
      server.close();
    },
  };
}
