import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { DAY } from '../../../src/platform/clock.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { createKey, noBrowser, openPanel } from '../../support/browser/panel-browser.ts';
import { eventually } from '../../support/eventually.ts';

test('the catalog and the insight page say what was sold, and what it brings', { skip: noBrowser }, async (t) => {
  await using panel = await openPanel();
  const { page, server, complaints } = panel;
  const at = (path: string) => page.goto(server.urls.panel + path);
  const { call } = await createKey(panel);

  await t.test('before the first order there is no chart, and the page says until when it has counted', async () => {
    await at('/sandbox/insight');
    await page.getByText('No orders in these days').waitFor();
    await page.getByText(/Counted up to \d/).waitFor();
  });

  await t.test('the fields for the days say which days are shown, and follow a choice and the way back', async () => {
    const [first, last] = [page.getByLabel('First day (UTC)'), page.getByLabel('Last day (UTC)')];
    const shown = async () => (Date.parse(await last.inputValue()) - Date.parse(await first.inputValue())) / DAY + 1;
    assert.equal(await shown(), 30);
    await page.getByLabel('Days', { exact: true }).selectOption('Last 7 days');
    await eventually('the fields follow the choice', async () => (await shown()) === 7);
    await page.goBack();
    await eventually('the fields follow the way back', async () => (await shown()) === 30);
  });

  const { products } = await call('/catalog/products?country=JP&limit=2');
  const [plan] = products;
  await t.test('a plan is found by its words; its margin follows the price typed, or the rule', async () => {
    await page.getByRole('link', { name: 'Catalog', exact: true }).click();
    await page.getByLabel('Search destinations and plans').fill('japan');
    await page
      .getByRole('button', { name: `Details of ${plan.title}` })
      .first()
      .waitFor();
    await page.getByRole('link', { name: /^Japan/ }).click();
    await page.getByRole('heading', { name: 'Japan', level: 1 }).waitFor();
    const list = page.url();
    await page.getByRole('link', { name: 'Retail prices' }).first().click();
    await page.getByLabel('Markup in percent').fill('100');
    await page.getByRole('button', { name: 'Save rule' }).click();
    await page.getByText('Your retail prices are saved.').waitFor();
    complaints.push(...(await layoutProblems(page)));
    await page.setViewportSize({ width: 1440, height: 900 });
    // Only that plan: what it is called others may be called, too.
    await page.goto(`${list}&search=${plan.id}`);
    const row = page.getByRole('table', { name: 'Plans' }).getByRole('row').nth(1);
    await page.getByRole('button', { name: /^Details of/ }).click();
    await page.getByText(plan.id, { exact: true }).waitFor();
    const price = plan.partner_price.toFixed(2);
    await row.getByText('50%', { exact: true }).waitFor();
    await row.getByLabel(/^Retail price of/).fill(String((plan.partner_price + 1).toFixed(2)));
    await page.keyboard.press('Enter');
    await row.getByText('$1.00').waitFor();
    const [shown] = await row.allInnerTexts();
    assert.ok(shown?.includes(`$${price}`) && shown.includes('$1.00'), shown);
    await page.reload();
    await row.getByText('$1.00').waitFor();
  });

  await t.test('both files can be downloaded', async () => {
    const download = async (name: string) => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name, exact: true }).click(),
      ]);
      return text(await file.createReadStream());
    };
    const csv = await download('CSV');
    assert.match(csv, new RegExp(`^${plan.id},esim,.*,${plan.partner_price.toFixed(2)},`, 'm'));
    const json = JSON.parse(await download('JSON'));
    assert.ok(json.products.some(({ id }: { id: string }) => id === plan.id));
  });

  await t.test(
    'orders, spend and requests appear by themselves, as a chart, value by value and as a table',
    async () => {
      await Promise.all([1, 2, 3].map(() => call('/purchase/buy', { product_id: plan.id })));
      await at('/sandbox/insight');
      await page.getByText('Delivered: 3').waitFor();
      const revenue = ((plan.partner_price + 1) * 3).toFixed(2);
      await page.getByText(`$${revenue}`).first().waitFor();
      const chart = page.getByRole('application', { name: /^Orders by day/ });
      await chart.focus();
      await page.keyboard.press('End');
      await page.getByText(/: Delivered 3$/).waitFor();
      await page.getByRole('button', { name: 'Show as table: Orders by day' }).click();
      const table = page.getByRole('table', { name: 'Orders by day' });
      assert.match((await table.getByRole('row').last().textContent()) ?? '', /30$/);
      await page.getByRole('table', { name: 'Requests by endpoint' }).getByText('/purchase/buy').waitFor();
      complaints.push(...(await layoutProblems(page)));
    },
  );

  assert.deepEqual(complaints, []);
});
