import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readSales } from '../../../src/domains/insight/figures/sales.ts';
import { sumColumns } from '../../../src/domains/insight/rollups/rollups.ts';
import { countChangedDays } from '../../../src/domains/insight/rollups/sales-by-day.ts';
import type { HomeAlert, HomePart } from '../../../src/entry/console/home.ts';
import { DAY, HOUR, MINUTE } from '../../../src/platform/clock.ts';
import { COUNT_LIMIT } from '../../../src/platform/db/alerts.ts';
import type { Queryable } from '../../../src/platform/db/database.ts';
import { raw, type Sql, sql } from '../../../src/platform/db/query/sql.ts';
import { type Kind, readAttention } from '../../../src/worlds/alerts.ts';
import { wordsOf } from '../../../web/src/console/pages/home/alerts.ts';
import { countedSales, directSales } from '../../support/database/direct-count.ts';
import { explaining } from '../../support/database/explain.ts';
import { testApp } from '../../support/program/app.ts';
import { signedInOperator } from '../../support/program/console.ts';
import { run } from '../../support/program/operator.ts';
import { browser } from '../../support/program/panel.ts';
import { paidOrder, testPlan } from '../../support/sales/paid-order.ts';
import { delivered } from '../../support/sales/sales.ts';
import { buy, catalogKnows, credit } from '../../support/sales/shop.ts';

// Its jobs do not run by themselves: what is counted when is up to the tests.
const secret = 'b'.repeat(64);
const t = await testApp({ role: 'api', secret });
const panel = await testApp({ role: 'panel', secret, url: t.base.url, clock: t.clock });
after(async () => {
  await panel[Symbol.asyncDispose]();
  await t[Symbol.asyncDispose]();
});
const { live } = t.base.worlds;
const { db: owner } = t.base;
const plan = await testPlan(t);
await catalogKnows(t, plan.alias);
const partnerId = await t.partner({ name: 'Alpine' });
let admin = await signedInOperator(panel);

async function home(): Promise<HomePart[]> {
  const answer = await admin.get('/operator/api/home');
  assert.equal(answer.status, 200, answer.text);
  return answer.body.parts;
}
const alerts = async (kind: Kind): Promise<HomeAlert[]> =>
  (await home()).flatMap((part) => part.alerts).filter((alert) => alert.kind === kind);
let now = t.clock.now();
const ago = (ms: number) => new Date(now - ms);
/** Days later, when every session has ended. */
async function later(ms: number): Promise<void> {
  t.clock.advance(ms);
  now = t.clock.now();
  admin = await signedInOperator(panel);
}

/** Nothing before, something while the cause is there, nothing afterwards. */
async function appearsWith(
  kind: Kind,
  cause: () => Promise<unknown>,
  expected: Partial<HomeAlert>,
  end: () => Promise<unknown>,
): Promise<void> {
  assert.deepEqual(await alerts(kind), [], `${kind} before its cause`);
  await cause();
  const [found, ...others] = await alerts(kind);
  assert.equal(others.length, 0);
  assert.ok(found, `${kind} is missing`);
  for (const [field, value] of Object.entries(expected))
    assert.deepEqual(found[field as keyof HomeAlert], value, `${kind}: ${field}`);
  await end();
  assert.deepEqual(await alerts(kind), [], `${kind} after its cause`);
}

test('on a quiet day there are no alerts, and every part was read', async () => {
  const parts = await home();
  assert.deepEqual(
    parts.map(({ part, is_unreadable, alerts }) => [part, is_unreadable, alerts]),
    [
      'orders',
      'refunds',
      'replacements',
      'webhooks',
      'payments',
      'invoices',
      'suppliers',
      'catalog',
      'ledger',
      'jobs',
      'applications',
      'proposals',
    ].map((part) => [part, false, []]),
  );
});

test('orders: overdue ones, those that have waited for half an hour, and half-written ones', async () => {
  const { id } = await paidOrder(t, { partnerId, plan });
  const paid = (at: Date, overdueAt: Date | null) =>
    live.db.run(
      sql`update orders set paid_at = ${at}, overdue_at = ${overdueAt}, provision_due_at = now() where id = ${id}`,
    );
  const end = () => live.db.run(sql`update orders set provision_due_at = null where id = ${id}`);
  await paid(ago(29 * MINUTE), null);
  await appearsWith(
    'stuck_orders',
    () => paid(ago(31 * MINUTE), null),
    { count: 1, since: ago(31 * MINUTE).toISOString(), is_more: false },
    end,
  );
  await appearsWith(
    'overdue_orders',
    () => paid(ago(25 * HOUR), ago(HOUR)),
    { count: 1, since: ago(HOUR).toISOString() },
    async () => {
      assert.deepEqual(await alerts('stuck_orders'), [], 'it is not named twice');
      await end();
    },
  );
  const tried = (attempts: number, reason: string) =>
    live.db.run(sql`
      update orders set paid_at = ${ago(20 * MINUTE)}, overdue_at = null, provision_due_at = now(), provision_attempts = ${attempts},
        delivery_reason = ${reason} where id = ${id}`);
  await tried(4, 'provider_unavailable');
  assert.deepEqual(await alerts('failing_orders'), []);
  await tried(9, 'awaiting_profile');
  await appearsWith(
    'failing_orders',
    () => tried(7, 'provider_unavailable'),
    { count: 1, since: ago(20 * MINUTE).toISOString() },
    async () => {
      assert.deepEqual(await alerts('stuck_orders'), []);
      await paid(ago(31 * MINUTE), null);
      assert.deepEqual(await alerts('failing_orders'), [], 'it is not named twice');
      await end();
    },
  );
  await appearsWith(
    'half_written_orders',
    () => live.db.run(sql`update orders set status = 3, created_at = ${ago(HOUR)} where id = ${id}`),
    { count: 1 },
    () => live.db.run(sql`update orders set status = 1, delivery = 'delivered', delivered_at = now() where id = ${id}`),
  );
});

test('refund requests wait for a decision, refunds that were made do not', async () => {
  const { orderId } = await delivered(t, partnerId);
  await appearsWith(
    'refund_requests',
    () =>
      live.db.run(sql`
      insert into refunds (order_id, partner_id, status, requested_at) values (${orderId}, ${partnerId}, 'requested', ${ago(HOUR)})`),
    { count: 1, since: ago(HOUR).toISOString() },
    () => live.db.run(sql`update refunds set status = 'rejected', decided_at = now() where order_id = ${orderId}`),
  );
});

test('replacement requests wait for a decision', async () => {
  const { orderId } = await delivered(t, partnerId);
  await appearsWith(
    'replacement_requests',
    () =>
      live.db.run(sql`
      insert into esim_replacements (partner_id, old_order_id, old_iccid, idempotency_key, requested_by, status, price, requested_at)
      values (${partnerId}, ${orderId}, '89', 'k', 'partner', 'requested', 1000, ${ago(HOUR)})`),
    { count: 1, since: ago(HOUR).toISOString() },
    () => live.db.run(sql`update esim_replacements set status = 'rejected' where old_order_id = ${orderId}`),
  );
});

test('disabled webhooks are named by receiver, with what they hold and when they are tried next', async () => {
  const { id } = await live.db.one<{ id: bigint }>(sql`
    insert into webhook_subscriptions (partner_id, url, events, secret, secret_last4, created_at, updated_at)
    values (${partnerId}, 'https://down.example.com/in?token=hush', '{order.paid}', 'x', 'xxxx', now(), now()) returning id`);
  const disable = sql`update webhook_subscriptions set status = 3, held_since = ${ago(0)} where id = ${id}`;
  const delivery = () =>
    live.db.run(sql`
    insert into webhook_queue (delivery_id, subscription_id, due_at, max_attempts)
    select 100000 + 2 * n, ${id}, now(), 5 from generate_series(1, 104) n`);
  await appearsWith(
    'disabled_webhook',
    async () => {
      await live.db.run(disable);
      const [empty] = await alerts('disabled_webhook');
      assert.equal(empty?.count, 0, 'also if nothing is held yet');
      await delivery();
    },
    {
      count: 104,
      of: String(id),
      about: 'down.example.com',
      since: ago(0).toISOString(),
      next_try_at: ago(-MINUTE).toISOString(),
    },
    async () => {
      assert.ok(!(await admin.get('/operator/api/home')).text.includes('hush'));
      await live.db.run(sql`update webhook_subscriptions set comeback_tries = 76, comeback_at = null where id = ${id}`);
      const [over] = await alerts('disabled_webhook');
      assert.ok(over);
      assert.equal(over.next_try_at, null);
      assert.match(wordsOf(over).detail, /no longer retry automatically. Resume it/);
      await live.db.run(sql`update webhook_subscriptions set status = 1, held_since = null where id = ${id}`);
    },
  );
  await owner.run(sql`delete from live.webhook_queue`);
  await live.db.run(sql`update webhook_subscriptions set deleted_at = now() where id = ${id}`);
});

test('dead letters are named by receiver, without its address, and not if they were discarded', async () => {
  const { id: subscription } = await live.db.one<{ id: bigint }>(sql`
    insert into webhook_subscriptions (partner_id, url, events, secret, secret_last4, created_at, updated_at)
    values (${partnerId}, 'https://hooks.example.com/in?token=hush', '{order.paid}', 'x', 'xxxx', now(), now()) returning id`);
  await appearsWith(
    'dead_letters',
    () =>
      live.db.run(sql`
      insert into webhook_deliveries (partner_id, subscription_id, order_id, event_id, event_type, status, max_attempts, created_at, died_at)
      select ${partnerId}, ${subscription}, 1, 'evt_' || n, 'order.paid', 'dead', 5, now(), ${ago(HOUR)} from generate_series(1, 3) n`),
    { count: 3, of: String(subscription), about: 'hooks.example.com', since: ago(HOUR).toISOString() },
    () => live.db.run(sql`update webhook_deliveries set discarded = true`),
  );
  await live.db.run(sql`update webhook_deliveries set discarded = false`);
  assert.ok(!(await admin.get('/operator/api/home')).text.includes('hush'));
  await live.db.run(sql`update webhook_subscriptions set deleted_at = now()`);
  assert.deepEqual(await alerts('dead_letters'), [], 'nothing can be done for a receiver that is gone');
});

test('card payments: those that could not be closed, and money that went back', async () => {
  const { id } = await live.db.one<{ id: bigint }>(sql`
    insert into topups (partner_id, payment_key, provider, amount, currency, created_at)
    values (${partnerId}, 'topup_1', 'simulated', 2000, 'USD', ${ago(24 * HOUR)}) returning id`);
  const change = (set: Sql) => () => live.db.run(sql`update topups set ${set} where id = ${id}`);
  await appearsWith(
    'open_payments',
    change(sql`created_at = ${ago(26 * HOUR)}`),
    { count: 1, since: ago(26 * HOUR).toISOString() },
    change(sql`status = 'succeeded'`),
  );
  await appearsWith('disputed_payments', change(sql`disputed = 2000`), { count: 1 }, change(sql`recovered = 2000`));
  await appearsWith(
    'disputed_payments',
    change(sql`status = 'failed', mismatch = 'paid 1.00 USD', disputed = 0, recovered = 0`),
    { count: 1 },
    change(sql`refunded = 100`),
  );
});

test('suppliers: silent, out of money, not telling their balance, failing too often', async () => {
  const orders = [];
  for (let i = 0; i < 5; i++) orders.push(await paidOrder(t, { partnerId, plan }));
  const ids = orders.map(({ id }) => id);
  await appearsWith(
    'silent_supplier',
    () => live.db.run(sql`update orders set paid_at = ${ago(11 * MINUTE)} where id = any(${ids}::bigint[])`),
    { of: 'aurora', count: 5 },
    () =>
      live.db.run(
        sql`update orders set provision_due_at = null, status = 1, delivery = 'delivered', delivered_at = paid_at where id = any(${ids}::bigint[])`,
      ),
  );
  const balance = (set: Sql) => () => owner.run(sql`update suppliers set ${set} where slug = 'aurora'`);
  await appearsWith(
    'low_balance',
    balance(sql`balance_micros = 99990000, balance_at = ${ago(0)}, balance_asked_at = ${ago(0)}`),
    { of: 'aurora', about: '99.99' },
    balance(sql`balance_micros = 100000000`),
  );
  await appearsWith(
    'unread_balance',
    balance(sql`balance_at = ${ago(HOUR)}`),
    { of: 'aurora', since: ago(HOUR).toISOString() },
    balance(sql`balance_at = ${ago(0)}`),
  );
  const dayOf = (at: Date) => sql`${at.toISOString().slice(0, 10)}::date`;
  const poor = { of: 'rough', count: 3, about: '15' };
  const figures: Readonly<Record<string, number>> = { orders: 20, delivered: 17, failed: 3 };
  await appearsWith(
    'poor_supplier',
    () =>
      live.db.run(sql`
        insert into sales_by_day (day, supplier, destination, ${raw(sumColumns.join(', '))})
        values (${dayOf(ago(DAY))}, 'rough', 'FR', ${raw(sumColumns.map((name) => figures[name] ?? 0).join(', '))})`),
    poor,
    () => owner.run(sql`delete from live.sales_by_day where supplier = 'rough'`),
  );
});

test('catalog: lists that are old, and imports that failed since the last success', async () => {
  const supplier = (set: Sql) => () => owner.run(sql`update suppliers set ${set} where slug = 'aurora'`);
  await appearsWith(
    'old_list',
    supplier(sql`kind = 'airalo', imported_at = ${ago(3 * DAY + MINUTE)}`),
    { of: 'aurora', since: ago(3 * DAY + MINUTE).toISOString() },
    supplier(sql`imported_at = ${ago(2 * DAY)}`),
  );
  await supplier(sql`kind = 'simulated'`)();
  const imported = (error: string | null, at: Date) =>
    owner.run(sql`
    insert into catalog_imports (supplier, who, started_at, finished_at, counts, error)
    values ('aurora', 'schedule', ${at}, ${at}, ${error === null ? '{}' : null}::jsonb, ${error})`);
  await imported(null, ago(3 * HOUR));
  await appearsWith(
    'failed_import',
    async () => {
      await imported('no answer', ago(2 * HOUR));
      await imported('bad list', ago(HOUR));
    },
    { of: 'aurora', count: 2, since: ago(2 * HOUR).toISOString(), about: 'bad list' },
    () => imported(null, ago(0)),
  );
});

test('ledger: a proof that is missing, old, or found something', async () => {
  const proof = (ok: boolean, at: Date) =>
    owner.run(sql`
    insert into proofs (asked_by, asked_at, finished_at, result)
    values ('eva', ${at}, ${at}, ${JSON.stringify({ ok, live: { drift: [] }, sandbox: { drift: [] } })}::jsonb)`);
  const [never] = await alerts('old_proof');
  assert.equal(never?.about, 'never', 'as soon as there is something to prove');
  await proof(true, ago(0));
  await appearsWith(
    'old_proof',
    () => later(2 * DAY + MINUTE),
    { since: ago(0).toISOString(), about: '' },
    () => proof(true, ago(0)),
  );
  await appearsWith(
    'broken_ledger',
    () => proof(false, ago(-MINUTE)),
    { count: 1 },
    () => proof(true, ago(-2 * MINUTE)),
  );
});

test('jobs: an important one has not succeeded for two minutes', async () => {
  const success = (at: Date) =>
    owner.run(sql`
    insert into settings (name, value) values ('job_successes', ${JSON.stringify({ 'deliver live': at.getTime(), 'price contracts': 0 })}::jsonb)
    on conflict (name) do update set value = excluded.value`);
  await success(ago(MINUTE));
  await appearsWith(
    'stopped_job',
    () => success(ago(3 * MINUTE)),
    { of: 'deliver live', since: ago(3 * MINUTE).toISOString() },
    () => success(ago(0)),
  );
});

test('counting stops at a limit, and says so', async () => {
  await live.db.run(sql`
    insert into topups (partner_id, payment_key, provider, amount, currency, created_at)
    select ${partnerId}, 'many_' || n, 'simulated', 2000, 'USD', ${ago(3 * DAY)} from generate_series(1, ${COUNT_LIMIT + 5}) n`);
  const [found] = await alerts('open_payments');
  assert.deepEqual([found?.count, found?.is_more], [COUNT_LIMIT, true]);
  await owner.run(sql`delete from live.topups where payment_key like 'many_%'`);
});

test('a part that cannot be read says so, and the others are there', async () => {
  const broken: Queryable = {
    ...live.db,
    query: (statement) =>
      statement.prepare().text.includes('from refunds') ? Promise.reject(new Error('away')) : live.db.query(statement),
  };
  const read = await readAttention(broken, t.clock.now(), { hasSeller: true });
  assert.deepEqual(
    read.filter((one) => 'isUnreadable' in one).map(({ part }) => part),
    ['refunds'],
  );
  assert.equal(read.length, 12);
});

test('each part is read off an index', async () => {
  const { db, plans } = explaining(live.db);
  await readAttention(db, t.clock.now(), { hasSeller: true });
  assert.equal(plans.length, 12);
  for (const plan of plans)
    for (const table of [
      'orders',
      'webhook_deliveries',
      'refunds',
      'topups',
      'movements',
      'sales_by_day',
      'applications',
    ])
      assert.doesNotMatch(plan, new RegExp(`Seq Scan on ${table}`), plan);
});

test('figures of all sales equal a direct count, whatever happens to the orders', async () => {
  const count = async (batch?: number) => {
    while ((await countChangedDays(live.db, t.clock, batch)) > 0);
  };
  const exact = async () => {
    assert.deepEqual(await countedSales(live.db), await directSales(live.db));
  };
  const other = await t.partner({ name: 'Baltic' });
  const key = await t.key(other);
  await credit(t, other, '60');
  const bought = await buy(t, key, plan.alias);
  assert.equal(bought.status, 200);
  assert.equal((await buy(t, await t.key(await t.partner()), plan.alias)).status, 402);
  const [waiting, hopeless, unknown] = [
    await paidOrder(t, { partnerId, plan }),
    await paidOrder(t, { partnerId, plan, supplier: 'boreal' }),
    await paidOrder(t, { partnerId, plan }),
  ];
  await live.db.run(sql`update orders set cost_micros = 0 where id = ${unknown.id}`);
  await count(2);
  await exact();
  await later(2 * HOUR);
  await live.db.run(sql`
    update orders set status = 1, delivery = 'delivered', provision_due_at = null, delivered_at = paid_at + interval '90 seconds',
      charged_micros = 4100000 where id = ${waiting.id}`);
  await run(t.operator(), `order fail ${hopeless.id}`);
  await run(t.operator(), `order refund ${bought.body.order_id} --amount 1.50`);
  await count();
  await exact();
  await count();
  await exact();

  const day = new Date(Math.floor(t.clock.now() / DAY) * DAY);
  const span = { from: new Date(day.getTime() - 400 * DAY), to: new Date(day.getTime() + DAY), per: 'month' } as const;
  const { total, partners, suppliers, points, destinations } = await readSales(live.db, span);
  const direct = await live.db.one<{ orders: number; cost: bigint; charged: bigint }>(sql`
    select count(*)::float8 as orders, sum(sale_price)::bigint as charged,
      sum(case when status = 2 or cost_micros = 0 then 0 when status = 1 then coalesce(charged_micros, cost_micros) else cost_micros end)::bigint as cost
    from orders where paid_at is not null`);
  assert.deepEqual([total.orders, total.charged, total.cost], [direct.orders, direct.charged, direct.cost]);
  for (const rows of [partners, suppliers, destinations, points])
    assert.equal(
      rows.reduce((sum, one) => sum + one.orders, 0),
      total.orders,
    );
  assert.equal(partners.find(({ key }) => key === String(other))?.title, 'Baltic');
  assert.equal(suppliers.find(({ key }) => key === 'boreal')?.failed, 1);

  const answer = await admin.get(`/operator/api/figures?partner=${other}`);
  assert.equal(answer.status, 200, answer.text);
  const { total: shown, age_seconds, partners: only } = answer.body;
  assert.deepEqual(
    only.map((one: { title: string }) => one.title),
    ['Baltic'],
  );
  assert.equal(shown.orders, 1);
  assert.deepEqual([shown.charged, shown.returned, shown.revenue], ['10.00', '1.50', '8.50']);
  assert.equal(shown.margin, (Number(shown.revenue) - Number(shown.cost)).toFixed(2));
  assert.ok(age_seconds < 60);
});

test('figures are read off their days, and bad days are refused', async () => {
  const { db, plans } = explaining(live.db);
  await readSales(db, { from: ago(30 * DAY), to: ago(0), per: 'day' }).catch(() => {});
  assert.match(plans.join(), /sales_by_day_pkey/);
  for (const query of ['from=2026-02-30', 'per=hour', 'from=2026-02-02&to=2026-02-01', 'partner=x'])
    assert.equal((await admin.get(`/operator/api/figures?${query}`)).body.error.code, 'invalid_input', query);
});

test('each alert has a text and links to the page where it is dealt with', () => {
  const pages: Readonly<Record<Kind, string>> = {
    held_orders: '/operator/orders?status=held',
    overdue_orders: '/operator/orders?status=overdue',
    stuck_orders: '/operator/orders?status=open',
    failing_orders: '/operator/orders?status=open',
    half_written_orders: '/operator/orders?status=created',
    refund_requests: '/operator/refunds',
    replacement_requests: '/operator/replacements',
    disabled_webhook: '/operator/webhooks',
    dead_letters: '/operator/webhooks?receiver=hooks.example.com',
    open_payments: '/operator/money?tab=cards&only=open',
    disputed_payments: '/operator/money?tab=cards&only=disputed',
    missing_seller: '/operator/invoices?tab=set-up',
    waiting_invoices: '/operator/invoices?tab=set-up',
    silent_supplier: '/operator/suppliers',
    unread_balance: '/operator/suppliers',
    low_balance: '/operator/suppliers',
    poor_supplier: '/operator/suppliers',
    low_stock: '/operator/suppliers',
    old_list: '/operator/catalog',
    failed_import: '/operator/catalog?tab=imports',
    held_import: '/operator/catalog?tab=imports',
    broken_ledger: '/operator/money?tab=ledger',
    old_proof: '/operator/money?tab=ledger',
    stopped_job: '/operator/system',
    applications: '/operator/applications',
    proposals: '/operator/proposals',
  };
  for (const [kind, to] of Object.entries(pages) as [Kind, string][]) {
    const alert = {
      kind,
      count: 2,
      is_more: false,
      since: null,
      of: 'aurora',
      about: 'hooks.example.com',
      next_try_at: null,
    };
    assert.equal(wordsOf(alert).to, to);
    assert.notEqual(wordsOf(alert).title, '');
  }
  const one = {
    kind: 'overdue_orders',
    count: 1,
    is_more: false,
    since: null,
    of: '',
    about: '',
    next_try_at: null,
  } as const;
  assert.equal(wordsOf(one).title, '1 paid order is overdue');
  assert.equal(wordsOf({ ...one, count: 1000, is_more: true }).title, 'More than 1,000 paid orders are overdue');
});

test('every operator may read it, and no one else', async () => {
  for (const path of ['/operator/api/home', '/operator/api/figures']) {
    for (const role of ['finance', 'support', 'read-only'] as const)
      assert.equal((await (await signedInOperator(panel, role)).get(path)).status, 200, `${role} ${path}`);
    assert.equal((await browser(panel).get(path)).status, 401);
  }
});
