import { randomBytes } from 'node:crypto';
import { serve } from '@hono/node-server';
import { shopApp } from './app.ts';
import { subscribe } from './hook.ts';
import { openFrom } from './open.ts';
import { sweep } from './orders.ts';

/** `npm run shop`, beside `npm start`. */
const SWEEP_MS = 30_000;
const { settings, shop } = await openFrom(process.env);
const webhookSecret = settings.webhookSecret ?? (await subscribe(shop, `${settings.url}/hook`));
const adminPassword = settings.adminPassword ?? randomBytes(9).toString('base64url');
const app = await shopApp(shop, { name: settings.name, adminPassword, webhookSecret });

serve({ fetch: app.fetch, port: settings.port }, () => {
  console.log(`\n  The shop is open:  ${settings.url}${shop.isSandbox ? '  (sandbox: play money)' : ''}`);
  console.log(`  Its admin page:    ${settings.url}/admin  (user admin, password ${adminPassword})\n`);
});

// Orders that were interrupted when the shop was last stopped are finished now; missed webhooks are caught up with a little later.
for (;;) {
  await sweep(shop);
  await new Promise((wake) => setTimeout(wake, SWEEP_MS));
}
