import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { basicAuth } from 'hono/basic-auth';
import { adminPage, groupPage } from './admin-pages.ts';
import { type Report, reconcile } from './nightly.ts';
import type { OpenShop } from './open.ts';
import { orderBatch } from './orders.ts';

const ORDERS_SHOWN = 100;
const MOST_IN_A_GROUP = 100;

/** What the people of the shop see and do. */
export function adminRoutes(shop: OpenShop, name: string, password: string): Hono {
  const app = new Hono();
  app.use(basicAuth({ username: 'admin', password }));

  app.get('/', async (c) => {
    const balance = await shop.wayfare.account.balance({}, { maxRetries: 0 }).catch(() => undefined);
    const kept = shop.store.kept('report');
    const report = kept === undefined ? undefined : (JSON.parse(kept) as Report);
    return c.html(adminPage(name, { orders: shop.store.latest(ORDERS_SHOWN), report, balance: balance?.balance }));
  });

  app.post('/nightly', async (c) => {
    const now = new Date();
    await reconcile(shop, `${now.toISOString().slice(0, 10)}T00:00:00.000Z`, now.toISOString());
    return c.redirect('/admin', 303);
  });

  app.get('/group', async (c) => {
    const all = await shop.catalog.destinations();
    const chosen = all.get(c.req.query('to') ?? '');
    return c.html(groupPage(name, { all: [...all.values()], chosen, batchId: randomUUID() }));
  });

  app.post('/group', async (c) => {
    const form = await c.req.parseBody();
    const plan = await shop.catalog.plan(String(form.plan));
    const quantity = Number(form.quantity);
    if (!plan || !Number.isInteger(quantity) || quantity < 1 || quantity > MOST_IN_A_GROUP)
      return c.redirect('/admin/group', 303);
    const wanted = { plan, quantity, email: String(form.email).slice(0, 200), batch: String(form.batch) };
    // If Wayfare does not answer, the sweep sends it again: the list says so.
    await orderBatch(shop, wanted).catch((error: Error) => console.warn(error.message));
    return c.redirect('/admin', 303);
  });
  return app;
}
