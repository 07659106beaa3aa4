import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { createKey, noBrowser, openPanel } from '../../support/browser/panel-browser.ts';

test('from an order to the call that placed it, and back', { skip: noBrowser }, async (t) => {
  await using panel = await openPanel();
  const { page, server, hook, complaints, operator } = panel;
  const at = (path: string) => page.goto(server.urls.panel + path);
  await operator('webhook', 'create', '--partner', '1', '--mode', 'sandbox', '--url', hook.url);
  const { key, call } = await createKey(panel);
  const { products } = await call('/catalog/products?country=JP&limit=1');
  const { id } = await call('/purchase/buy', { product_id: products[0].id, idempotency_key: 'cart-7' });
  const secret = 'c0ffee00c0ffee00';
  await call('/webhook/probe', { url: `https://ana:${secret}@192.0.2.1/in?token=${secret}`, colour: secret });
  await call('/order/detail/999999999');

  await t.test('the timeline tells the order’s story, with each webhook attempt', async () => {
    await at(`/sandbox/orders/${id}`);
    const story = page.getByRole('region', { name: 'Timeline' });
    await story.getByText('eSIM delivered').waitFor();
    await story.getByText('Paid $').waitFor();
    await story.getByText(/Placed through the API with key esk_test_…/).waitFor();
    await story.getByText('order.delivered').waitFor();
    await story
      .getByText(/Attempt 1, .*: HTTP 200 after \d+ ms/)
      .first()
      .waitFor();
  });

  await t.test('one click leads to the call with its fields, another back to the order', async () => {
    await page
      .getByRole('region', { name: 'Timeline' })
      .getByRole('link', { name: /^[0-9a-f-]{36}$/ })
      .click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('POST /purchase/buy').waitFor();
    await drawer.getByText('cart-7').waitFor();
    complaints.push(...(await layoutProblems(page)));
    await drawer.getByRole('link', { name: id, exact: true }).click();
    await page.waitForURL(/\/sandbox\/orders\/\d+$/);
  });

  await t.test('filters are in the address, and a request id finds its call', async () => {
    await page.getByRole('link', { name: 'Request log' }).click();
    const table = page.getByRole('table', { name: 'API calls' });
    await table.getByRole('link', { name: 'POST /purchase/buy' }).waitFor();
    await page.getByLabel('Status', { exact: true }).selectOption('4xx');
    await page.waitForURL(/status=4xx/);
    await table.getByText('order_not_found').waitFor();
    await table.getByRole('link', { name: 'POST /purchase/buy' }).waitFor({ state: 'detached' });
    await page.getByLabel('Error code').fill('rate_limited');
    await page.keyboard.press('Enter');
    await page.getByText('No calls match').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await table.getByRole('link', { name: 'POST /purchase/buy' }).waitFor();
  });

  await t.test('secrets are hidden, and the page says what was left out', async () => {
    await page.getByRole('link', { name: 'POST /webhook/probe' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('https://…@192.0.2.1/in?…').waitFor();
    await drawer.getByText('Not a field of this endpoint').waitFor();
    const text = (await page.textContent('body')) ?? '';
    assert.ok(!text.includes(secret) && !text.includes(key));
    await drawer.getByRole('button', { name: 'Close' }).click();
    await page.waitForURL((url) => !url.search.includes('request='));
  });

  await t.test('nothing in the console', () => assert.deepEqual(complaints, []));
});
