import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { watchedPage } from '../../../support/browser/browser.ts';
import { layoutProblems } from '../../../support/browser/layout-problems.ts';
import { createKey, type Panel } from '../../../support/browser/panel-browser.ts';
import { eventually } from '../../../support/eventually.ts';
import { record } from '../../../support/program/app.ts';

/** What the panel says about orders, eSIMs, money and webhooks is so. */
export async function truth(t: TestContext, panel: Panel): Promise<void> {
  const { page, context, server, complaints } = panel;
  const at = (path: string) => page.goto(server.urls.panel + path);
  const { call } = await createKey(panel);
  const { products } = await call('/catalog/products?country=JP&limit=1');
  const buy = (sandbox_scenario: string) => call('/purchase/buy', { product_id: products[0].id, sandbox_scenario });

  await t.test('a failed order costs nothing and promises no eSIM', async () => {
    const { id } = await buy('failed');
    await at(`/sandbox/orders/${id}`);
    await page.getByText('This order failed and costs you nothing').waitFor();
    assert.equal(await factOf(page, 'You paid'), '$0.00');
    assert.equal(await page.getByText('Waiting for delivery').count(), 0);
  });

  const { id } = await buy('success');
  await t.test('the activation code is what a phone asks for, beside the whole LPA string', async () => {
    const { esim } = await call(`/order/detail/${id}`);
    await at(`/sandbox/orders/${id}`);
    await page.getByText('Activation code', { exact: true }).waitFor();
    assert.equal(await factOf(page, 'Activation code'), esim.matching_id);
    assert.equal(await factOf(page, 'QR code content (LPA)'), esim.qrcode);
  });

  await t.test('a refund is requested with a warning, and what came of it is shown with the eSIM', async () => {
    const { id: unused } = await call('/purchase/buy', { product_id: products[0].id, reference: 'trip-7' });
    await at('/sandbox/orders');
    await page.getByLabel('Reference or ICCID').fill('trip-7');
    await page.keyboard.press('Enter');
    await page.waitForURL(/reference=trip-7/);
    await page.getByRole('link', { name: unused, exact: true }).click();
    await page.getByRole('button', { name: 'Request refund' }).waitFor();
    assert.equal(await factOf(page, 'Reference'), 'trip-7');
    await page.getByRole('button', { name: 'Request refund' }).click();
    const dialog = page.getByRole('dialog');
    const send = dialog.getByRole('button', { name: 'Request refund' });
    await dialog.getByText('it stops working at once and for good').waitFor();
    await dialog.getByRole('textbox').fill('x'.repeat(201));
    await dialog.getByText('201 of 200 characters').waitFor();
    assert.ok(await send.isDisabled());
    complaints.push(...(await layoutProblems(page)));
    await dialog.getByRole('textbox').fill('Trip cancelled');
    await send.click();
    await page.getByText('The whole price went back to your account.').waitFor();
    await page.getByText('The supplier withdrew this eSIM because it was refunded or replaced.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Request refund' }).count(), 0);
    assert.equal(await page.getByRole('img', { name: 'QR code that installs this eSIM' }).count(), 0);
    assert.equal(await factOf(page, 'You paid'), '$0.00');
    assert.equal(await factOf(page, 'Your reason'), 'Trip cancelled');
    assert.equal((await call(`/order/detail/${unused}`)).refund.status, 'refunded');
  });

  await t.test('an eSIM has a page with its state, its orders and a command that refills it', async () => {
    const bought = await call('/purchase/buy', { product_id: products[0].id, sandbox_usage: 'active' });
    const { iccid } = (await call(`/order/detail/${bought.id}`)).esim;
    await at('/sandbox/esims?state=active');
    await page.getByRole('link', { name: iccid }).click();
    await page.getByRole('heading', { name: `eSIM ${iccid}` }).waitFor();
    const command = await page.locator('pre', { hasText: 'purchase/refill' }).textContent();
    // Run as it is shown: the fields of the command, sent as curl would.
    const form = Object.fromEntries(
      [...(command ?? '').matchAll(/-d (\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    );
    const refill = await call('/purchase/refill', form);
    assert.deepEqual([refill.delivery, refill.iccid], ['delivered', iccid]);
    await at(`/sandbox/esims/${iccid}`);
    await page.getByRole('link', { name: refill.id, exact: true }).waitFor();
    await page.getByText('Refills on sale').waitFor();
    assert.match((await page.locator('pre').textContent()) ?? '', new RegExp(`refill-${iccid}-2 `));

    await page.getByRole('link', { name: refill.id, exact: true }).click();
    await page.getByText('This order added data and days to an existing eSIM').waitFor();
    await page.getByRole('button', { name: 'Request refund' }).click();
    await page.getByRole('dialog').getByText('A refill can’t be taken back').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Request refund' }).click();
    await page.getByText('Waiting for the operator').waitFor();
    const words = [refill.id, '--mode', 'sandbox', '--note', 'It was used'];
    assert.equal((await panel.operator('refund', 'reject', ...words)).code, 0);
    await at(`/sandbox/orders/${refill.id}`);
    await page.getByText('The operator rejected your request. Nothing was refunded.').waitFor();
    assert.equal(await factOf(page, 'Operator’s note'), 'It was used');
    await at(`/sandbox/orders/${id}`);
    await page.getByText('Activation code', { exact: true }).waitFor();
  });

  await t.test('copying works without navigator.clipboard, or says that it did not', async () => {
    const copyButton = page.getByRole('button', { name: 'Copy the ICCID' });
    await page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })');
    await page.evaluate('document.addEventListener("copy", () => { window.copied = String(document.getSelection()) })');
    await copyButton.click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await page.evaluate('window.copied'), await factOf(page, 'ICCID'));
    await copyButton.waitFor();
    await page.evaluate('document.execCommand = () => false');
    await copyButton.click();
    await page.getByText('Could not copy').waitFor();
  });

  await t.test('the way back from an order leads to the same page of the list', async () => {
    await at('/sandbox/orders?page=1');
    await page.getByRole('link', { name: id, exact: true }).click();
    await page.getByRole('main').getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('heading', { name: 'All orders' }).waitFor();
    assert.match(page.url(), /\/sandbox\/orders\?page=1$/);
  });

  await t.test('account pages keep the world this tab came from, whatever other tabs do', async () => {
    await at('/live/orders');
    await page.getByRole('heading', { name: 'All orders' }).waitFor();
    assert.equal(await page.title(), 'Orders · Live · Wayfare');
    const { page: otherTab } = await watchedPage(context);
    await otherTab.goto(`${server.urls.panel}/sandbox/orders`);
    await otherTab.getByRole('heading', { name: 'All orders' }).waitFor();
    assert.equal(await otherTab.title(), 'Orders · Sandbox · Wayfare');
    await otherTab.close();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    assert.ok(await page.getByRole('radio', { name: 'Live' }).isChecked());
  });

  await t.test('a dialog does not show the error of the last time it was open', async () => {
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'IP addresses' }).first().click();
    await dialog.getByRole('textbox').fill('not an address');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'IP addresses' }).first().click();
    await dialog.getByRole('textbox').waitFor();
    assert.equal(await dialog.getByRole('alert').count(), 0);
    complaints.push(...(await layoutProblems(page)));
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  await t.test('the overview says what can be spent now, and what blocks it', async () => {
    const terms = (...words: string[]) => panel.operator('partner', 'set', '1', ...words);
    assert.equal((await terms('--billing', 'postpaid', '--credit-limit', '0')).code, 0);
    await at('/live');
    await page.getByText('Available credit', { exact: true }).waitFor();
    await page.getByText('You’ve used your whole credit limit').waitFor();
    await terms('--billing', 'prepaid', '--suspended', 'true');
    await at('/live');
    await page.getByText('Your account is suspended.', { exact: true }).waitFor();
    await terms('--suspended', 'false', '--balance-alert', '999999');
    for (const path of ['/live', '/live/orders', '/live/esims', '/live/money']) {
      await at(path);
      await page.getByRole('status').filter({ hasText: 'Your balance is low' }).waitFor();
      assert.equal(await page.getByText('Your account is suspended').count(), 0);
    }
  });

  await t.test('a webhook that was disabled says so on the overview, with what happens to its events', async () => {
    const { url } = panel.hook;
    const made = await panel.operator(
      'webhook',
      'create',
      '--partner',
      '1',
      '--mode',
      'sandbox',
      '--url',
      url,
      '--json',
    );
    record('secrets', `${made.json.secret}\n`);
    panel.hook.answer = 500;
    for (let failure = 1; failure <= 10; failure++) {
      await call('/webhook/test', {});
      // One after the other: attempts that overlap count as one.
      await eventually(`failure ${failure} is counted`, async () => {
        const { subscriptions } = await call('/webhook/list');
        return subscriptions[0].fail_count === String(failure);
      });
    }
    await at('/sandbox');
    const notice = page.getByRole('status').filter({ hasText: 'A webhook is disabled' });
    await notice.getByText(/Events are held for 7 days. The next try is at \d/).waitFor();
    await notice.getByRole('link', { name: url }).click();
    await page
      .getByRole('alert')
      .getByText(/after 10 failed attempts in a row.*The next try is at \d/s)
      .waitFor();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
  });

  // A refused request is also logged by the browser itself.
  assert.deepEqual(
    complaints.filter((text) => !text.includes('400 (Bad Request)')),
    [],
  );

  await t.test('while the server cannot be reached, old data is marked as such', async () => {
    await page.route('**/api/**', (route) => route.abort());
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByText('What you see is from before').waitFor();
    await page.unroute('**/api/**');
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByText('What you see is from before').waitFor({ state: 'detached' });
  });
}

/** The value of a name in a list of facts. */
const factOf = async (page: Page, name: string): Promise<string> =>
  (
    await page
      .locator('dl > div', { has: page.getByText(name, { exact: true }) })
      .locator('dd')
      .textContent()
  )?.trim() ?? '';
