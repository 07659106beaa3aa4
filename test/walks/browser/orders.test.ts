import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { PHONE } from '../../support/browser/browser.ts';
import { faults, prepare } from '../../support/browser/every-page/page-checks.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { createKey, noBrowser, openPanel } from '../../support/browser/panel-browser.ts';
import { eventually } from '../../support/eventually.ts';

test('orders, as a reseller looks at them every day', { skip: noBrowser }, async (t) => {
  await using panel = await openPanel();
  const { page, server, complaints } = panel;
  const at = (path: string) => page.goto(server.urls.panel + path);
  const main = page.getByRole('main');
  /** Where the page stands, once that is as it should be. Not `waitForFunction`: the page's policy allows no `eval`. */
  const scrolled = (isRight: (y: number) => boolean) =>
    eventually('the page scrolls', async () => {
      const y = await page.evaluate<number>('scrollY');
      return isRight(y) && y;
    });
  const { call, key } = await createKey(panel);
  const { products } = await call('/catalog/products?country=JP&limit=1');
  const buy = (more: Record<string, string>) => call('/purchase/buy', { product_id: products[0].id, ...more });
  for (let n = 0; n < 20; n++) await buy({ reference: `tour-${n}` });
  const { id: failed } = await buy({ sandbox_scenario: 'failed' });
  const { id: wanted } = await buy({ reference: 'Familie Groß' });
  const { iccid } = (await call(`/order/detail/${wanted}`)).esim;

  await t.test('a failed order is in the list with the others, with what it cost and why', async () => {
    await at('/sandbox/orders');
    const row = main.getByRole('row').filter({ has: page.getByRole('link', { name: failed, exact: true }) });
    await row.getByText('Not charged').waitFor();
    await row.getByRole('link', { name: failed }).click();
    await main.getByText('Nothing was charged.').first().waitFor();
    await main.getByText('The purchase asked for it with sandbox_scenario=failed.').first().waitFor();
  });

  await t.test('the page of a delayed order follows it until it is delivered', async () => {
    const delayed = main.getByText('Delivery delayed');
    // It is delivered after a minute, which on a busy machine may be before its page is there.
    await eventually('the page of a delayed order is there in time', async () => {
      const { id } = await buy({ sandbox_scenario: 'deferred' });
      await at(`/sandbox/orders/${id}`);
      await delayed
        .or(main.getByText('Activation code', { exact: true }))
        .first()
        .waitFor();
      return delayed.isVisible();
    });
    await main.getByText('If the order fails, all of it is refunded automatically.').waitFor();
    await page.evaluate(
      `fetch('/api/sandbox/clock/advance', { method: 'POST', headers: { 'content-type': 'application/json', 'idempotency-key': 'advance' }, body: '{"by":"1h"}' })`,
    );
    await main.getByText('Activation code', { exact: true }).waitFor();
    await page.evaluate(
      `fetch('/api/sandbox/clock/reset', { method: 'POST', headers: { 'idempotency-key': 'reset' } })`,
    );
  });

  await t.test('an order that is delivered while its page loads is read again at once', async () => {
    const { id } = await buy({ reference: 'meanwhile' });
    const detail = `**/order/detail/${id}`;
    let reads = 0;
    await page.route(detail, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      if (reads++ === 0) {
        Object.assign(body.order, { status: '4' });
        Object.assign(body.esim, { iccid: null, qrcode: null });
      }
      await route.fulfill({ response, json: body });
    });
    await at(`/sandbox/orders/${id}`);
    const glance = main.getByRole('region', { name: 'At a glance' });
    await glance.getByText('Delivered', { exact: true }).waitFor();
    assert.ok(await glance.getByText('Open their page').or(glance.getByText('The eSIM')).isVisible());
    assert.equal(reads, 2);
    await page.unroute(detail);
  });

  await t.test('the search opens by keyboard from any page, and Enter leads to what it found', async () => {
    await at('/settings');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.keyboard.press('/');
    const field = page.getByRole('dialog').getByRole('combobox');
    await field.fill('tour-1');
    const options = page.getByRole('dialog').getByRole('option');
    await options.nth(5).waitFor();
    await page.keyboard.press('ArrowDown');
    assert.deepEqual(await Promise.all([0, 1].map((n) => options.nth(n).getAttribute('aria-selected'))), [
      'false',
      'true',
    ]);
    complaints.push(...(await layoutProblems(page)));
    await field.fill(iccid);
    await options.filter({ hasText: `eSIM ${iccid}` }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `eSIM ${iccid}` }).waitFor();
    await page.keyboard.press('Control+k');
    await field.fill('Familie');
    await options.filter({ hasText: `Order ${wanted}` }).waitFor();
    await options.filter({ hasText: `Order ${wanted}` }).click();
    await page.getByRole('heading', { name: `Order ${wanted}` }).waitFor();
    // Closed by Escape, it gives the focus back.
    await page.getByRole('link', { name: 'API keys' }).focus();
    for (const start of ['/', 'Control+k']) {
      await page.keyboard.press(start);
      await field.fill('webh');
      await options.filter({ hasText: 'Page' }).waitFor();
      await page.keyboard.press('Escape');
      await field.waitFor({ state: 'detached' });
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'API keys');
    }
    await page.keyboard.press('/');
    await field.fill('JAPAN');
    await options.filter({ hasText: 'Destination' }).waitFor();
    await field.fill('webh');
    await options.filter({ hasText: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    // In a text field a slash is a slash.
    await at('/sandbox/orders');
    // Not before the page is shown.
    await page.getByLabel('Reference or ICCID').click();
    await page.getByLabel('Reference or ICCID').press('/');
    assert.equal(await page.getByLabel('Reference or ICCID').inputValue(), '/');
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  await t.test('a list says how many rows it shows, and shows more on request', async () => {
    await at('/sandbox/orders');
    const pages = main.getByRole('navigation', { name: 'Pages of this list' });
    await pages.getByText('20 orders on this page').waitFor();
    await pages.getByLabel('Rows on a page').selectOption('50');
    await page.waitForURL(/[?&]size=50$/);
    await pages.getByText(/^2\d orders$/).waitFor();
    assert.equal(await pages.getByRole('button').count(), 0);
    await at('/sandbox/esims');
    await pages.getByText('20 eSIMs on this page').waitFor();
    await pages.getByLabel('Rows on a page').selectOption('100');
    await pages.getByText(/^2\d eSIMs$/).waitFor();
  });

  await t.test('eSIMs are suspended and resumed together, and what is refused meanwhile is listed', async () => {
    const dialog = page.getByRole('dialog');
    const buttonOf = (name: string) => dialog.getByRole('button', { name });
    await at('/sandbox/esims');
    await main.getByRole('button', { name: 'Choose all 20 here' }).waitFor();
    assert.deepEqual(await layoutProblems(page), []);
    await main.getByRole('button', { name: 'Choose all 20 here' }).click();
    for (const box of (await main.getByRole('checkbox', { name: /^Choose eSIM/ }).all()).slice(2)) await box.uncheck();
    await main.getByText('2 eSIMs chosen').waitFor();
    assert.deepEqual(await underTheBar(page), []);
    await main.getByRole('button', { name: 'Suspend 2 eSIMs' }).click();
    await buttonOf('Suspend 2 eSIMs').dblclick();
    await main.getByText('2 eSIMs suspended.').waitFor();
    assert.equal(await main.getByRole('cell', { name: 'Suspended', exact: true }).count(), 2);
    await main
      .getByRole('checkbox', { name: /^Choose eSIM/ })
      .first()
      .check();
    await main.getByRole('button', { name: 'Resume 1 eSIM' }).click();
    await buttonOf('Resume 1 eSIM').click();
    await main.getByText('1 eSIM in service again.').waitFor();
    const { entries } = JSON.parse(await page.evaluate(`fetch('/api/activity').then((answer) => answer.text())`));
    assert.deepEqual(
      entries.slice(0, 3).map(({ kind }: { kind: string }) => kind),
      ['esim resume', 'esim suspend', 'esim suspend'],
    );
  });

  await t.test('open orders are cancelled together; one that was delivered meanwhile is listed with why', async () => {
    const later = { sandbox_scenario: 'deferred' };
    const ids = [(await buy(later)).id, (await buy(later)).id, (await buy(later)).id];
    await at('/sandbox/orders');
    await main.getByRole('button', { name: 'Choose all 3 here' }).click();
    await main.getByText('3 orders chosen, $').waitFor();
    await main.getByRole('button', { name: 'Cancel 3 orders' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Keep orders' }).waitFor();
    await call('/order/cancel', { order_id: ids[0] });
    await dialog.getByRole('button', { name: 'Cancel 3 orders' }).dblclick();
    await main.getByText('3 orders cancelled.').waitFor();
    await main.getByRole('button', { name: 'Dismiss' }).click();
    assert.equal(await main.getByRole('checkbox').count(), 0);
    const { id } = await buy(later);
    await main.getByRole('checkbox', { name: `Choose order ${id}` }).check();
    await page.evaluate(
      `fetch('/api/sandbox/clock/advance', { method: 'POST', headers: { 'content-type': 'application/json', 'idempotency-key': 'late' }, body: '{"by":"1h"}' })`,
    );
    await main.getByRole('button', { name: 'Cancel 1 order' }).click();
    await call(`/order/detail/${id}`);
    await dialog.getByRole('button', { name: 'Cancel 1 order' }).click();
    await main.getByText('0 orders cancelled. 1 could not be changed:').waitFor();
    await main.getByText('It was delivered or had failed before.').waitFor();
    assert.deepEqual(await layoutProblems(page), []);
    await page.evaluate(
      `fetch('/api/sandbox/clock/reset', { method: 'POST', headers: { 'idempotency-key': 'again' } })`,
    );
  });

  await t.test('filters are in the address and in the file, and the way back keeps them and the place', async () => {
    await at('/sandbox/orders');
    await page.getByLabel('API key').selectOption({ label: `esk_test_…${key.slice(-4)}` });
    await page.waitForURL(/key=\d+/);
    // The page has taken the choice over: what is typed now stays.
    await page.getByRole('button', { name: 'Clear' }).waitFor();
    await page.getByLabel('Plan id').fill(products[0].id);
    await page.keyboard.press('Enter');
    await page.waitForURL(/product_id=/);
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = page.locator('a[role=menuitem][href*="product_id=esc_"][href*="&key="]');
    await file.first().waitFor();
    assert.doesNotMatch((await file.first().getAttribute('href')) ?? '', /before|limit/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Older' }).click();
    await page.waitForURL(/before=/);
    const url = page.url();
    await main.getByRole('link', { name: '1001', exact: true }).click();
    await main.getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('heading', { name: 'All orders' }).waitFor();
    assert.equal(page.url(), url);
    await page.getByRole('button', { name: 'Clear' }).click();
    await main.getByRole('link', { name: wanted, exact: true }).waitFor();
    await page.setViewportSize({ width: 1440, height: 500 });
    // At once and not by the wheel: a place read while the page still glides is not where it ends.
    await page.evaluate('scrollTo({ top: 250, behavior: "instant" })');
    const place = await scrolled((y) => y > 200);
    await page.evaluate(`document.querySelector('a[href$="/orders/${failed}"]').click()`);
    await main.getByRole('link', { name: 'Orders' }).click();
    await scrolled((y) => Math.abs(y - place) < 60);
  });

  await t.test('on a phone each order is a card, and the whole card opens it', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await at('/sandbox/orders');
    const card = main.getByRole('row').filter({ has: page.getByRole('link', { name: failed, exact: true }) });
    await card.getByText('Failed').waitFor();
    assert.equal(await page.getByLabel('Plan id').isVisible(), false);
    await page.getByRole('button', { name: 'Filters' }).click();
    assert.ok(await page.getByLabel('Plan id').isVisible());
    const box = await card.boundingBox();
    assert.ok(box && box.width > 300 && box.height > 44 && box.height < 200, JSON.stringify(box));
    await card.click({ position: { x: box.width - 30, y: box.height - 10 } });
    await page.getByRole('heading', { name: `Order ${failed}` }).waitFor();
  });

  assert.deepEqual(complaints, []);
});

/** Where the bar of chosen rows covers a part of a checkbox: what axe finds; and which checkbox it hides from the keyboard, or what for good. */
async function underTheBar(page: Page): Promise<string[]> {
  const before = page.viewportSize() ?? PHONE;
  const found: string[] = [];
  await prepare(page);
  for (const size of [before, PHONE]) {
    await page.setViewportSize(size);
    for (const uncovered of [4, 12]) {
      await page.evaluate(`{
        const { top } = document.querySelector('[data-chosen]').getBoundingClientRect();
        const box = [...document.querySelectorAll('main [type=checkbox]')].at(-8).getBoundingClientRect();
        scrollBy({ top: box.top + ${uncovered} - top, behavior: 'instant' });
      }`);
      found.push(...(await faults(page, 'everything')));
    }
    const hidden = await page.evaluate<string[]>(`(() => {
      const bar = document.querySelector('[data-chosen]');
      const isUnder = (it) => {
        const [ours, theirs] = [bar.getBoundingClientRect(), it.getBoundingClientRect()];
        return theirs.bottom > ours.top && theirs.top < ours.bottom;
      };
      const focused = [...document.querySelectorAll('main [type=checkbox]')].filter((it) => { it.focus(); return isUnder(it); });
      scrollTo({ top: document.body.scrollHeight, behavior: 'instant' });
      const last = [...document.querySelectorAll('main table, main [aria-label="Pages of this list"]')].filter(isUnder);
      return [...focused, ...last].map((it) => it.ariaLabel + ' is under the bar');
    })()`);
    found.push(...hidden.map((what) => `${what} at ${size.width} px`));
  }
  await page.setViewportSize(before);
  return found;
}
