import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { watchedPage } from '../../support/browser/browser.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { TestClock } from '../../support/clock.ts';
import { run } from '../../support/program/operator.ts';
import { panelStage } from '../../support/program/panel-stage.ts';
import { closeAll, giveBack, invoicing, sell } from '../../support/sales/invoices.ts';

const monthBegin = (month: string) => Date.parse(`${month}-01T01:00:00Z`);

test('invoices, as the finance of a partner and the finance of the operator find them', {
  skip: noBrowser,
}, async (t) => {
  const clock = new TestClock();
  clock.freeze(monthBegin('2026-10'));
  await using stage = await panelStage({ clock, config: { invoicing } });
  const { url } = stage;
  const partnerId = await stage.t.partner({ name: 'Alpine Travel', email: 'ops@alpine.example' });
  await run(stage.t.operator(), `partner set ${partnerId} --billing postpaid --credit-limit 5000`);
  const at = (day: string) => new Date(`2026-${day}T12:00:00Z`);
  await sell(stage.t, partnerId, { price: 450n, at: at('09-10') });
  const refunded = await sell(stage.t, partnerId, { price: 2600n, at: at('10-10'), book: 'debt' });
  for (const day of ['10-11', '10-12', '11-03', '11-20', '12-24'])
    await sell(stage.t, partnerId, { price: 3900n, at: at(day), book: 'debt', title: 'Japan 10 GB' });
  for (const month of ['2026-10', '2026-11', '2026-12']) {
    clock.freeze(monthBegin(month));
    await closeAll(stage.t);
  }
  await giveBack(stage.t, partnerId, refunded, { at: at('12-02'), amount: 600n });
  clock.freeze(monthBegin('2027-01'));
  await closeAll(stage.t);
  clock.freeze(Date.parse('2027-01-20T09:00:00Z'));
  await stage.t.base.worlds.live.invoices.settleDue();

  const { page: panel, complaints } = await watchedPage(await stage.enter(partnerId));
  const { page: desk, complaints: ofDesk } = await watchedPage(await stage.operate('admin'));
  const look = async (page: Page) => {
    await page.evaluate('scrollTo({ top: 0, behavior: "instant" })');
    complaints.push(...(await layoutProblems(page)));
    await page.emulateMedia({ colorScheme: 'light' });
  };
  const main = panel.getByRole('main');
  const invoices = await stage.t.base.worlds.live.invoices.list({ partnerId, limit: 20 });
  const numberOf = (month: string, kind = 'invoice') =>
    invoices.find((one) => one.month === month && one.kind === kind)?.number ?? '';
  const [october, december, note] = [numberOf('2026-10'), numberOf('2026-12'), numberOf('2026-12', 'credit_note')];

  await t.test('the panel asks for billing details that are missing, and keeps what is given', async () => {
    await panel.goto(`${url}/live/money`);
    await main.getByText('Your invoices lack your legal name, address and country').waitFor();
    await main.getByRole('link', { name: 'Add billing details' }).click();
    await panel.getByRole('heading', { name: 'Invoices', level: 1 }).waitFor();
    const details = main.getByRole('region', { name: 'Billing details' });
    await details.getByText('Invoices are made out to “Alpine Travel”.').waitFor();
    assert.equal(await details.getByText('Not given').count(), 4);
    await look(panel);
    await details.getByRole('button', { name: 'Change billing details' }).click();
    const dialog = panel.getByRole('dialog');
    await dialog.getByLabel('Legal name').fill('Alpine Travel GmbH');
    await dialog.getByLabel('Address', { exact: true }).fill('Getreidegasse 9\n5020 Salzburg');
    await dialog.getByLabel('Country').selectOption('AT');
    await dialog.getByLabel('VAT id').fill('ATU1234567?');
    await look(panel);
    await dialog.getByRole('button', { name: 'Save billing details' }).click();
    await dialog.getByText('a VAT id has 2 to 20 letters and digits').waitFor();
    await dialog.getByLabel('VAT id').fill('ATU12345678');
    await dialog.getByRole('button', { name: 'Save billing details' }).dblclick();
    await details.getByText('Alpine Travel GmbH').waitFor();
    await details.getByText('Austria').waitFor();
    assert.equal(await details.getByText('Not given').count(), 0);
    const changes = await stage.t.base.db.query(sql`
      select from audit_log where what = 'partner set' and who like 'member:%'`);
    assert.equal(changes.length, 1, 'a double click is one change');
  });

  await t.test('the list has every state, and narrows down by status and number', async () => {
    await panel.goto(`${url}/live/invoices`);
    const list = main.getByRole('region', { name: 'All invoices' });
    for (const state of ['Paid', 'Overdue', 'Open', 'Credit note'])
      await list.getByRole('table').getByText(state).first().waitFor();
    assert.equal(await list.getByRole('row').count(), 6);
    await look(panel);
    await list.getByLabel('Status').selectOption('overdue');
    await list.getByRole('link', { name: december }).waitFor({ state: 'detached' });
    await list.getByRole('link', { name: october }).waitFor();
    await panel.goto(`${url}/live/invoices?q=${december.toLowerCase()}`);
    await list.getByRole('link', { name: december }).waitFor();
    assert.equal(await list.getByRole('row').count(), 2);
    await panel.goto(`${url}/live/invoices?q=nothing`);
    await list.getByText('No invoice matches').waitFor();
    await look(panel);
  });

  await t.test('a document shows what it says and downloads as PDF, XML and a CSV of the month', async () => {
    await panel.goto(`${url}/live/invoices/${october}`);
    await panel.getByRole('heading', { name: `Invoice ${october}` }).waitFor();
    await main.getByText('Japan 10 GB').waitFor();
    await main.getByText('19 % tax, contained in the prices').waitFor();
    await look(panel);
    for (const [name, file] of [
      ['PDF', `${october}.pdf`],
      ['XML', `${october}.xml`],
      ['Lines of October 2026 as CSV', 'invoice-lines-2026-10.csv'],
    ] as const) {
      const download = panel.waitForEvent('download');
      await main.getByRole('link', { name }).click();
      assert.equal((await download).suggestedFilename(), file);
    }
    await panel.goto(`${url}/live/invoices/${note}`);
    await panel.getByRole('heading', { name: `Credit note ${note}` }).waitFor();
    await look(panel);
    await main.getByRole('link', { name: october }).click();
    await panel.getByRole('heading', { name: `Invoice ${october}` }).waitFor();
    await panel.goto(`${url}/live/invoices/INV2026-999999`);
    await panel.getByRole('heading', { name: 'Invoice not found' }).waitFor();
    await panel.goto(`${url}/sandbox/invoices`);
    await main.getByText('No invoices yet').waitFor();
    await look(panel);
  });

  await t.test('roles without money see neither invoices nor the link to them', async () => {
    const { page } = await watchedPage(await stage.enter(partnerId, 'support'));
    await page.goto(`${url}/live/invoices`);
    await page.getByText('can’t see invoices').waitFor();
    assert.equal(await page.getByRole('navigation').getByRole('link', { name: 'Invoices' }).count(), 0);
  });

  const board = desk.getByRole('main');
  await t.test('the console sums up what is to be paid by age, and each age leads to its invoices', async () => {
    await desk.goto(`${url}/operator/invoices`);
    const ages = board.getByRole('region', { name: 'To be paid' });
    await ages.getByRole('button', { name: 'Up to 29 days late' }).waitFor();
    await look(desk);
    await ages.getByRole('button', { name: '30 to 59 days late' }).click();
    const list = board.getByRole('region', { name: 'All invoices' });
    await list.getByRole('link', { name: december }).waitFor({ state: 'detached' });
    await list.getByRole('link', { name: october }).waitFor();
    await desk.goto(`${url}/operator/invoices?tab=set-up`);
    await board.getByText('Have this table confirmed by your tax adviser').waitFor();
    await look(desk);
  });

  await t.test('a payment recorded on an invoice settles the oldest, whose page says so', async () => {
    await desk.goto(`${url}/operator/invoices/${october}`);
    await look(desk);
    await board.getByRole('button', { name: 'Record payment' }).click();
    const dialog = desk.getByRole('dialog');
    await dialog.getByLabel('Amount in USD').fill('98');
    await dialog.getByRole('button', { name: 'Record payment' }).click();
    await board
      .getByRole('region', { name: 'Invoice', exact: true })
      .getByText('Paid', { exact: true })
      .first()
      .waitFor();
  });

  await t.test('an invoice is mailed again, and voided whole with a reason', async () => {
    await desk.goto(`${url}/operator/invoices/${december}`);
    await board.getByRole('button', { name: 'Send again' }).click();
    const dialog = desk.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send again' }).dblclick();
    await desk.getByRole('status').getByText('It is on its way.').waitFor();
    await board.getByRole('button', { name: 'Void by credit note' }).click();
    const confirm = dialog.getByRole('button', { name: 'Void by credit note' });
    assert.ok(await confirm.isDisabled(), 'not without a reason');
    await dialog.getByLabel('Reason').fill('Made out to the wrong company');
    await look(desk);
    await confirm.dblclick();
    await board.getByText('A credit note over all of it was issued').waitFor();
    await look(desk);
    const { n } = await stage.t.base.worlds.live.db.one<{ n: number }>(sql`
      select count(*)::int as n from invoices where voids`);
    assert.equal(n, 1, 'a double click voids once');
    await desk.goto(`${url}/operator/invoices?status=void`);
    await board.getByRole('link', { name: december }).waitFor();
  });

  await t.test("a partner's page has its billing details, and changes them", async () => {
    await desk.goto(`${url}/operator/partners/${partnerId}`);
    const details = board.getByRole('region', { name: 'Billing details' });
    await details.getByText('Alpine Travel GmbH').waitFor();
    await details.getByRole('button', { name: 'Change details' }).click();
    const dialog = desk.getByRole('dialog');
    await dialog.getByLabel('Invoices on credit terms are due after').selectOption('14');
    await dialog.getByLabel('VAT id').fill('');
    await look(desk);
    await dialog.getByRole('button', { name: 'Save details' }).click();
    await details.getByText('14 days').waitFor();
    await details.getByText('Not given').waitFor();
    await look(desk);
  });

  await t.test(
    'an account whose invoices are overdue is told what ends it; a server that is gone takes nothing away',
    async () => {
      await stage.t.base.worlds.live.db.run(sql`update wallets set is_overdue = true where partner_id = ${partnerId}`);
      await panel.goto(`${url}/live/invoices`);
      await main.getByText('Your invoices are overdue').waitFor();
      await desk.goto(`${url}/operator/partners/${partnerId}`);
      await board.getByText('Purchases are refused because').waitFor();
      await look(desk);
      await panel.route('**/api/live/invoices?*', (route) => route.abort());
      await panel.goto(`${url}/live/invoices?status=open`);
      await main
        .getByText('Could not')
        .or(main.getByRole('button', { name: 'Try again' }))
        .first()
        .waitFor();
      await look(panel);
      await panel.unroute('**/api/live/invoices?*');
    },
  );

  const isExpected = (one: string) => !/404 \(Not Found\)|400 \(Bad Request\)|ERR_FAILED/.test(one);
  assert.deepEqual([...complaints, ...ofDesk].filter(isExpected), []);
});
