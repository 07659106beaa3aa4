import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { type Plan, planOf, worthwhile } from './catalog.ts';
import { destinationPage, homePage } from './catalog-pages.ts';
import { phonePage } from './devices.ts';
import type { OpenShop } from './open.ts';
import { checkoutPage, orderPage, payPage, stateOf } from './order-pages.ts';
import { askForRefund, cancel, placeOrder, proceed } from './orders.ts';
import type { Order } from './store.ts';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const REFILLS_SHOWN = 6;
const MODEL_LENGTH = 60;
/** What was typed survives the redirect after a form that was not accepted, and the way back from paying. */
const TYPED_SECONDS = 600;

/** Why a form was not accepted. The page it leads back to has the word in its address, so reloading it sends nothing again. */
const PROBLEMS = {
  again: 'Please try once more.',
  email: 'That is not an email address.',
  price: 'The price has just changed. Please look at it again.',
} as const;

const problemOf = <T extends Readonly<Record<string, string>>>(c: Context, problems: T): string | undefined => {
  const asked = c.req.query('problem') ?? '';
  return Object.hasOwn(problems, asked) ? problems[asked] : undefined;
};

/** Everything a customer sees and does. */
export function customerRoutes(shop: OpenShop, name: string): Hono {
  const app = new Hono();
  const { catalog, store, payments, wayfare, isSandbox } = shop;

  app.get('/', async (c) => {
    const all = [...(await catalog.destinations()).values()];
    return c.html(homePage(name, all, c.req.query('q') ?? ''));
  });

  app.get('/to/:code', async (c) => {
    const all = await catalog.destinations();
    const here = all.get(c.req.param('code'));
    if (!here) return c.notFound();
    const covers = ({ plans }: { plans: readonly Plan[] }) => plans[0]?.covers.includes(here.place);
    const regions = [...all.values()].filter((one) => one.isRegion && one !== here && covers(one));
    return c.html(destinationPage(name, here, regions));
  });

  app.get('/phone', async (c) => {
    const model = (c.req.query('model') ?? '').trim().slice(0, MODEL_LENGTH);
    return c.html(phonePage(name, model, model === '' ? [] : await shop.devices.find(model)));
  });

  /** The plan that is for sale at this address: on its own, or as a refill of the eSIM of an order. */
  async function offered(planId: string, first?: Order): Promise<Plan | undefined> {
    if (!first) return catalog.plan(planId);
    const { products } = await wayfare.esim.refills(first.iccid);
    return products.map(planOf).find(({ id }) => id === planId);
  }

  for (const path of ['/buy/:plan', `/o/:first{${UUID}}/refill/:plan`])
    app
      .get(path, async (c) => {
        const { plan: planId = '', first: firstId } = c.req.param() as { plan?: string; first?: string };
        const first = firstId === undefined ? undefined : store.order(firstId);
        const plan = await offered(planId, first);
        if (!plan || (firstId !== undefined && !first)) return c.notFound();
        const orderId = randomUUID();
        const email = first?.email ?? getCookie(c, 'email') ?? '';
        const problem = problemOf(c, PROBLEMS);
        return c.html(
          checkoutPage(name, { plan, orderId, action: c.req.path, email, isSandbox, ...(problem && { problem }) }),
        );
      })
      .post(async (c) => {
        const { plan: planId = '', first: firstId } = c.req.param() as { plan?: string; first?: string };
        const first = firstId === undefined ? undefined : store.order(firstId);
        const plan = await offered(planId, first);
        if (!plan || (firstId !== undefined && !first)) return c.notFound();
        const form = await c.req.parseBody();
        const [id, email, scenario] = [form.order, form.email, form.scenario].map(String) as [string, string, string];
        setCookie(c, 'email', email.slice(0, 200), { httpOnly: true, sameSite: 'Lax', maxAge: TYPED_SECONDS });
        const again = (problem: keyof typeof PROBLEMS) => c.redirect(`${c.req.path}?problem=${problem}`, 303);
        if (!new RegExp(`^${UUID}$`).test(id)) return again('again');
        if (!/^[^@\s]+@[^@\s]+$/.test(email) || email.length > 200) return again('email');
        if (Number(form.cents) !== plan.retailCents) return again('price');
        const played = isSandbox && (scenario === 'deferred' || scenario === 'failed') ? scenario : '';
        const order = placeOrder(shop, { id, plan, email, refills: first?.iccid ?? '', scenario: played });
        return c.redirect(await payments.start(order.id, order.retail_cents), 303);
      });

  /** As far as it can go now. If Wayfare does not answer, it stays where it is. */
  async function current(id: string): Promise<{ order: Order | undefined; isStale: boolean }> {
    const isStale = await proceed(shop, id).then(
      () => false,
      () => true,
    );
    return { order: store.order(id), isStale };
  }

  app.get(`/o/:id{${UUID}}/state`, async (c) => {
    const { order } = await current(c.req.param('id'));
    return order ? c.text(stateOf(order)) : c.notFound();
  });

  app.get(`/o/:id{${UUID}}`, async (c) => {
    const { order, isStale } = await current(c.req.param('id'));
    if (!order) return c.notFound();
    const isInHand = order.status === 'delivered' && order.refund !== 'refunded' && order.refills === '';
    const refills = isInHand ? await wayfare.esim.refills(order.iccid).catch(() => undefined) : undefined;
    const payUrl = order.status === 'unpaid' ? await payments.start(order.id, order.retail_cents) : undefined;
    return c.html(
      orderPage(name, {
        order,
        payUrl,
        refills: worthwhile((refills?.products ?? []).map(planOf)).slice(0, REFILLS_SHOWN),
        added: isInHand ? store.refillsOf(order.iccid) : [],
        isStale,
      }),
    );
  });

  for (const [action, change] of Object.entries({ refund: askForRefund, cancel }))
    app.post(`/o/:id{${UUID}}/${action}`, async (c) => {
      const id = c.req.param('id');
      if (!store.order(id)) return c.notFound();
      await change(shop, id);
      return c.redirect(`/o/${id}`, 303);
    });

  return app;
}

/** The page of the simulated card provider. A real one has its own, at its own address. */
export function simulatedPayRoutes({ store, payments }: OpenShop, name: string): Hono {
  const app = new Hono();
  const problems = {
    declined: 'The card was declined. Nothing was charged; try another one.',
    unknown_card: 'This is not one of the test cards.',
    closed: 'This order can no longer be paid.',
  } as const;
  return app
    .get(`/pay/:id{${UUID}}`, (c) => {
      const order = store.order(c.req.param('id'));
      if (!order || !payments.find(order.id)) return c.notFound();
      return order.status === 'unpaid'
        ? c.html(payPage(name, order, problemOf(c, problems)))
        : c.redirect(`/o/${order.id}`, 303);
    })
    .post(async (c) => {
      const order = store.order(c.req.param('id') ?? '');
      if (!order || !payments.find(order.id)) return c.notFound();
      const outcome = payments.pay(order.id, String((await c.req.parseBody()).card));
      return c.redirect(outcome === 'paid' ? `/o/${order.id}` : `/pay/${order.id}?problem=${outcome}`, 303);
    });
}
