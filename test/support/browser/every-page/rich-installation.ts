import assert from 'node:assert/strict';
import { addSupplier } from '../../../../src/actions/supply/supplier-accounts.ts';
import { importCatalog } from '../../../../src/domains/catalog/import/import-list.ts';
import { askForLive } from '../../../../src/domains/partners/applications/applications.ts';
import { proposals } from '../../../../src/domains/partners/proposals/proposals.ts';
import { type Cents, toCents } from '../../../../src/platform/amounts/cents.ts';
import { SECOND } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../eventually.ts';
import type { DemoApp } from '../../program/demo-app.ts';
import { run } from '../../program/operator.ts';
import { freePort } from '../../program/ports.ts';
import { invoicing } from '../../sales/invoices.ts';
import { type RichAccount, richAccount } from './rich-account.ts';
import { type RichRoutes, richRoutes } from './rich-routes.ts';

/** An installation with problems of every kind, for visiting the console's pages. */
export interface RichInstallation extends RichAccount, RichRoutes {
  /** A plan of the supplier that is down, and a live order it has not answered. */
  readonly planId: string;
  readonly stuck: string;
  /** Partners on other terms: postpaid, suspended, disabled. */
  readonly others: readonly number[];
  /** Of a partner that signed up and wants live. */
  readonly application: number;
}

/** For the server's settings: a supplier that is down, and who sells, so that invoices are issued. */
export const brokenSupplier = async () => ({
  invoicing,
  airalo: { clientId: 'wayfare', clientSecret: 'not asked for', url: new URL(`http://127.0.0.1:${await freePort()}`) },
  // Long enough for working suppliers on a busy machine.
  provisioning: { budgetMs: 30 * SECOND, overdueMs: 1 },
});

/** Several partners, orders in every state, refund requests, dead letters, webhooks that were disabled, a supplier that is down, one that was added. */
export async function richInstallation(stage: DemoApp): Promise<RichInstallation> {
  const { t, demo } = stage;
  const operate = (words: string | string[]) => run(t.operator(), words);
  const rich = await richAccount(stage);
  await operate(`partner set ${rich.partnerId} --balance-alert 20`);

  const others: number[] = [];
  for (const [name, terms] of [
    ['Alpine Travel', '--billing postpaid --credit-limit 500'],
    ['Balkan Roads, a partner with rather a long name for a table', '--suspended true'],
    ['Closed for the season', '--disabled true'],
  ] as const) {
    const partnerId = await t.partner({ name, email: `${name.split(' ')[0]?.toLowerCase()}@example.com` });
    await operate(`partner set ${partnerId} ${terms}`);
    others.push(partnerId);
  }
  const planId = await planOfBrokenSupplier(stage);
  const added = { slug: 'esim-go-eu', kind: 'esim_go', title: 'eSIM Go Europe' };
  const settings = { key: 'not-asked-for', url: 'http://127.0.0.1:9' };
  await addSupplier(t.operator(), t.operator(), { ...added, settings });
  const host = { authority: t.base.config.liveBaseUrl.host };
  const { body: bought } = await t.ask('/v3/purchase/buy', {
    key: demo.liveKey,
    host,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `product_id=${planId}`,
  });
  assert.equal(bought.delivery, 'deferred', JSON.stringify(bought));
  await t.post('/order/refund', { order_id: rich.live.delivered, reason: 'Never installed' }, { key: demo.liveKey });
  await deadLetters(stage, rich);
  const wanted = { name: 'Newcomer Travel', email: 'new@example.com', isLive: false };
  const details = {
    address: '1 Harbour Road',
    country: 'Bahamas',
    taxNumber: 'BS-1',
    volume: '200 a month',
    use: 'Ferries',
  };
  const wish = { partnerId: await t.partner(wanted), email: wanted.email, company: wanted.name, details };
  await proposed(stage, others[0] ?? 0);
  const { applicationId: application } = await t.base.db.tx((tx) => askForLive(tx, wish, t.clock.now()));
  return { ...rich, ...(await richRoutes(stage)), planId, others, stuck: String(bought.id), application };
}

export async function planOfBrokenSupplier({ t, demo }: DemoApp): Promise<string> {
  const { db, vault } = t.base;
  const alias = await db.tx(async (tx) => {
    const terms = { amount: 1024, day: 7, network_type: '5G', price: 6, cost: 4 };
    const entry = { code: 'unanswered', destination: 'JP', title: 'Japan 1 GB, 7 days', ...terms };
    const supplier = { slug: 'airalo', title: 'Airalo', kind: 'airalo' };
    await importCatalog(tx, { supplier, full: false, destinations: [], plans: [{ entry, line: 1 }] }, vault.sign);
    return tx.one<{ alias: string }>(sql`select alias from plans where supplier_plan = 'unanswered'`);
  });
  const host = { authority: t.base.config.liveBaseUrl.host };
  await eventually('the catalog knows the plan', async () => {
    const path = `/v3/catalog/product/${alias.alias}`;
    return (await t.ask(path, { key: demo.liveKey, host })).status === 200;
  });
  return alias.alias;
}

/** A delivery is given up after three hours of attempts; here it is made so at once. */
async function deadLetters({ t }: DemoApp, { sandbox }: RichAccount): Promise<void> {
  await t.base.worlds.sandbox.db.run(sql`
    with dead as (
      update webhook_deliveries set status = 'dead', died_at = now(), attempts = max_attempts
      where subscription_id = ${sandbox.disabled} and status <> 'sent' returning id
    ) delete from webhook_queue using dead where delivery_id = dead.id`);
}

/** What an operator who is somewhere else proposed: as it was, changed since, without an amount, approved and rejected. */
async function proposed({ t }: DemoApp, partnerId: number): Promise<void> {
  const { db, vault } = t.base;
  const partner = String(partnerId);
  const limit = { id: partner, 'credit-limit': '900' };
  const credit = { action: 'wallet credit', input: { partner, amount: '750.00' }, amount: toCents(75_000n), terms: {} };
  const words = `Credit 750.00 USD to Alpine Travel (partner ${partnerId}): “invoice 4711”`;
  const about = { operatorId: 999_999, who: 'operator:robin@example.com', partnerId };
  for (const [n, wanted] of [
    { ...credit, words },
    {
      ...{ action: 'partner set', input: limit, amount: toCents(90_000n), terms: { 'credit limit': '200.00' } },
      words: `Change the terms of Alpine Travel (partner ${partnerId}): credit limit 200.00 to 900.00`,
    },
    {
      ...{ action: 'pricing cap', input: { pct: '40' }, amount: null as Cents | null, terms: {} },
      words: 'Set the highest discount to 40 %',
    },
    { ...credit, words },
    { ...credit, words },
  ].entries())
    await db.tx(async (tx) => {
      const { id } = await proposals.add(tx, vault, { ...about, ...wanted, key: `rich-${n}` }, t.clock.now());
      const decision = { by: 'operator:kim@example.com', key: `decided-${n}`, reason: 'Paid twice already' };
      if (n === 3) await proposals.decide(tx, id, { ...decision, state: 'approved', reason: '' }, t.clock.now());
      if (n === 4) await proposals.decide(tx, id, { ...decision, state: 'rejected' }, t.clock.now());
    });
}
