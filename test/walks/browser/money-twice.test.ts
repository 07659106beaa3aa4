import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { DAY } from '../../../src/platform/clock.ts';
import { raw, sql } from '../../../src/platform/db/query/sql.ts';
import { watchedPage } from '../../support/browser/browser.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { eventually } from '../../support/eventually.ts';
import { run } from '../../support/program/operator.ts';
import { emptyStage } from '../../support/program/panel-stage.ts';
import { paidOrder, testPlan } from '../../support/sales/paid-order.ts';
import { delivered, keepReading, posted, purchase } from '../../support/sales/sales.ts';
import { credit } from '../../support/sales/shop.ts';

/** What a change was answered, each time it was sent. */
interface Sent {
  readonly path: string;
  readonly said: readonly string[];
}

/**
 * Every change leaves the page twice at the same moment, with the key it has: as if the guards of the page were not there. If one of
 * the two is refused, the page gets that answer, as if the other were lost.
 */
const SENT_TWICE = `{
  const real = window.fetch;
  window.fetch = async (input, init = {}) => {
    if ((init.method ?? 'GET') !== 'POST') return real(input, init);
    const both = await Promise.all([real(input, init), real(input, init)]);
    const said = await Promise.all(both.map(async (one) => one.status + ' ' + (await one.clone().text())));
    await window.noteSent({ path: new URL(input, location.href).pathname, said });
    return both.find((one) => !one.ok) ?? both[0];
  };
}`;

async function pageSendingTwice(context: BrowserContext): Promise<{ page: Page; sent: Sent[] }> {
  const { page } = await watchedPage(context);
  const sent: Sent[] = [];
  await page.exposeFunction('noteSent', (one: Sent) => void sent.push(one));
  await page.addInitScript(SENT_TWICE);
  return { page, sent };
}

test('what moves money, clicked twice at once and sent twice each time, moves it once', {
  skip: noBrowser,
}, async (suite) => {
  // A panel alone: no job settles anything beside the test.
  await using stage = await emptyStage({ role: 'panel' });
  const { t, url } = stage;
  const { db, worlds } = t.base;
  const plan = await testPlan(t);
  const prepaid = await t.partner({ name: 'Prepaid' });
  const postpaid = await t.partner({ name: 'Postpaid' });
  await credit(t, prepaid, '200.00');
  await run(t.operator(), `partner set ${postpaid} --billing postpaid --credit-limit 500`);
  await run(t.operator(), `wallet adjust --partner ${postpaid} --add 50.00 --debt --note owed`);
  await run(t.operator(), `partner set ${prepaid} --revenue-share 40`);
  const sold = async (daysAgo: number) => {
    const sale = await delivered(t, prepaid, { deliveredAt: t.clock.now() - daysAgo * DAY });
    await posted(t, prepaid, [purchase({ cash: 2000n }, sale.orderId)]);
    return sale;
  };
  const [refunded, returned, expired] = [await sold(1), await sold(1), await sold(60)];
  await keepReading(t, expired, { usedMb: 1024, expiresAt: t.clock.now() - 20 * DAY });
  const stuck = await paidOrder(t, { partnerId: prepaid, plan });

  /** It waits, and certainly no supplier has it. */
  const waiting = async () => {
    const { id } = await paidOrder(t, { partnerId: prepaid, plan });
    await worlds.live.db.run(sql`update orders set delivery = 'deferred', free_attempts = 0 where id = ${id}`);
    return id;
  };
  const [stopped, cancelled] = [await waiting(), await waiting()];

  const operator = await pageSendingTwice(await stage.operate('admin'));
  const member = await pageSendingTwice(await stage.enter(prepaid));
  const rows = async (table: string): Promise<number> => (await db.query(sql`select 1 from ${raw(table)}`)).length;
  const effects = async (table: string) => ({
    movements: (await rows('live.movements')) + (await rows('sandbox.movements')),
    rows: await rows(table),
  });

  interface Click {
    readonly by?: typeof operator;
    readonly at: string;
    readonly button: string;
    /** Fields of the dialog by their labels. */
    readonly fields?: Readonly<Record<string, string>>;
    readonly submit?: string;
    readonly sends: string;
    readonly movements?: 0 | 1;
    /** A table that has one row more afterwards; all but one action leave an entry in the audit log. */
    readonly adds?: string;
    /** The answer has a secret in it, so the repeat is told this, and the page offers this button. */
    readonly shownOnce?: readonly [sentence: string, button: string];
    /** What has to be done on the page before there is such a button. */
    readonly before?: (page: Page) => Promise<unknown>;
  }
  const money = (id: number) => `/operator/partners/${id}?tab=money`;
  const amount = { 'Amount in USD': '12.50' };
  const clicks: Readonly<Record<string, Click>> = {
    'Add credit': { at: money(prepaid), button: 'Add credit', fields: amount, sends: 'wallet/credit' },
    'Grant promo credit': {
      at: money(prepaid),
      button: 'Grant promo credit',
      submit: 'Grant credit',
      fields: amount,
      sends: 'wallet/credit',
    },
    'Record payment': { at: money(postpaid), button: 'Record payment', fields: amount, sends: 'wallet/payment' },
    Adjust: { at: money(prepaid), button: 'Adjust', fields: { ...amount, Note: 'mistaken' }, sends: 'wallet/adjust' },
    Refund: {
      at: `/operator/orders/${refunded.orderId}`,
      button: 'Refund',
      fields: { 'Amount in US dollars': '1.00' },
      sends: 'order/refund',
    },
    'Request refund': {
      by: member,
      at: `/live/orders/${returned.orderId}`,
      button: 'Request refund',
      sends: '/v3/order/refund',
      movements: 0,
      adds: 'live.refunds',
    },
    'Approve refund': { at: '/operator/refunds', button: 'Approve refund', sends: 'refund/approve' },
    'Fail order': {
      at: `/operator/orders/${stuck.id}`,
      button: 'Fail order',
      fields: { [`Type “${stuck.id}” to confirm`]: String(stuck.id) },
      sends: 'order/fail',
    },
    'Cancel order': { at: `/operator/orders/${cancelled}`, button: 'Cancel order', sends: 'order/cancel' },
    'Cancel my order': {
      by: member,
      at: `/live/orders/${stopped}`,
      button: 'Cancel order',
      sends: '/v3/order/cancel',
      adds: 'live.movements',
    },
    'Settle now': {
      at: '/operator/money?tab=settlement',
      before: (page) => page.getByRole('button', { name: 'Preview a settlement' }).click(),
      button: 'Settle now',
      fields: { 'Type “settle” to confirm': 'settle' },
      sends: '/run/settle',
    },
    'Save rule': {
      at: '/operator/prices',
      before: async (page) => {
        await page.getByRole('button', { name: 'New rule' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('combobox', { name: 'Country' }).click();
        await page.getByRole('option', { name: 'France (FR)' }).click();
        await dialog.getByLabel('Share of the margin in %').fill('25');
        await dialog.getByRole('button', { name: 'Preview' }).click();
      },
      button: 'Save rule',
      sends: 'pricing/rule/add',
      movements: 0,
      adds: 'shared.pricing_rules',
    },
    'Continue to payment': {
      by: member,
      at: '/live/money',
      before: (page) => page.getByLabel('Amount (USD)').fill('50'),
      button: 'Continue to payment',
      sends: '/v3/account/topup',
      movements: 0,
      adds: 'live.topups',
      shownOnce: ['The payment is open already', 'Pay now'],
    },
  };

  for (const [name, click] of Object.entries(clicks))
    await suite.test(name, async () => {
      const { by = operator, at, button, submit = button, fields, movements = 1, adds = 'shared.audit_log' } = click;
      const { page, sent } = by;
      sent.length = 0;
      await page.goto(url + at);
      await click.before?.(page);
      const had = await effects(adds);
      let last = page.getByRole('button', { name: button, exact: true });
      if (!click.before || fields) {
        await last.click();
        last = page.getByRole('dialog').getByRole('button', { name: submit, exact: true });
        for (const [label, value] of Object.entries(fields ?? {}))
          await page.getByRole('dialog').getByLabel(label).fill(value);
      }
      // Its own check waits until it can be clicked.
      await last.click({ trial: true });
      await last.evaluate((found: unknown) => {
        const it = found as { click(): void };
        it.click();
        it.click();
      });
      const [first] = await eventually('it is answered', async () => sent.length > 0 && sent);
      assert.ok(first, 'it is sent');
      assert.ok(first.path.endsWith(click.sends), JSON.stringify(sent));
      const [done = '', repeat = ''] = first.said.toSorted();
      assert.match(done, /^200 /);
      if (click.shownOnce) {
        const [sentence, next] = click.shownOnce;
        assert.match(repeat, new RegExp(`^409 .*shown_once.*${sentence}`));
        await page.getByText(sentence).waitFor();
        await page.getByRole('button', { name: next }).waitFor();
      } else assert.equal(repeat, done, 'one answer for both');
      assert.equal(sent.filter(({ path }) => path === first.path).length, 1, 'the page itself sends it once');
      assert.deepEqual(await effects(adds), { movements: had.movements + movements, rows: had.rows + 1 });
    });
  assert.deepEqual(
    (await proveBooks(worlds.live.db, () => {})).drift.map(({ rule }) => rule),
    [],
  );
});
