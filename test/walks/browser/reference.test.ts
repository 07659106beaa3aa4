import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { createKey, noBrowser, openPanel } from '../../support/browser/panel-browser.ts';
import { eventually } from '../../support/eventually.ts';

/** For somebody who wants to see the pages: LOOK=/tmp/folder takes pictures on the way. */
const look = process.env.LOOK;
async function picture(page: Page, name: string): Promise<void> {
  if (look) await page.screenshot({ path: `${look}/${name}.png`, fullPage: !name.startsWith('phone') });
}

/** The heading was scrolled to: it is in the window. */
const isInView = (page: Page, heading: string) =>
  eventually(`${heading} is in view`, async () => {
    const at = await page.getByRole('heading', { level: 2, name: heading }).boundingBox();
    return at !== null && at.y >= 0 && at.y < (page.viewportSize()?.height ?? 0);
  });

test('a developer finds an endpoint, reads it, tries it in the sandbox, and reads a guide', {
  skip: noBrowser,
}, async () => {
  await using panel = await openPanel();
  const { page, complaints, server } = panel;
  const { key, call } = await createKey(panel);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.getByRole('link', { name: 'API reference' }).click();
  await page.getByRole('link', { name: /purchase\/buy/ }).waitFor();
  await picture(page, 'reference');
  assert.ok(!asked.includes('/openapi.json'), 'a page gets its piece of the description, not all of it');

  // An error code leads to what can answer it.
  await page.getByRole('searchbox', { name: 'Search the reference' }).fill('insufficient_balance');
  await page.getByRole('link', { name: /account\/balance/ }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /purchase\/buy/ }).click();
  await page.getByRole('heading', { level: 1, name: 'purchase/buy' }).waitFor();
  await page.getByText('The prepaid balance is below the price; nothing was charged.').waitFor();

  // The sample follows the form and has this installation's address.
  const sample = page.getByRole('region', { name: 'Sample' });
  await sample.getByText('Python', { exact: true }).click();
  const form = page.getByRole('region', { name: 'Try it' });
  assert.match(await form.getByLabel('idempotency_key').inputValue(), /^try-\d+$/);
  await sample.locator('pre', { hasText: `"X-API-Key": "${key}"` }).waitFor();
  const planId = await form.getByLabel('product_id').inputValue();
  assert.equal((await call(`/catalog/product/${planId}`)).product.id, planId, 'a plan of this catalog');
  await sample.locator('pre', { hasText: planId }).waitFor();
  assert.match((await sample.locator('pre').textContent()) ?? '', new RegExp(`${server.urls.sandbox}/purchase/buy`));

  assert.equal(await form.getByLabel(/^Sandbox key/).inputValue(), key);
  await form.getByLabel(/^Sandbox key/).fill(key);
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('"delivery": "delivered"').waitFor();
  await picture(page, 'endpoint');

  // The key is remembered by the tab, and the language by the browser.
  await page.getByRole('link', { name: 'API reference' }).first().click();
  await page.getByRole('link', { name: /order\/get/ }).click();
  await page.getByText('As yourself').waitFor();
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText(planId).first().waitFor();
  await form.getByText('With a sandbox key').click();
  assert.equal(await form.getByLabel(/^Sandbox key/).inputValue(), key);
  const kept = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  );
  assert.ok(!kept.includes(key));

  await page.goto(`${server.urls.panel}/reference/guides/first-purchase`);
  await page.getByText(`WAYFARE_URL=${server.urls.sandbox}`).waitFor();
  await picture(page, 'guide');
  await page.getByRole('link', { name: 'idempotency' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Idempotency' }).waitFor();
  // Links lead to a chapter of another guide, and of the same one.
  await page.goto(`${server.urls.panel}/reference/guides/webhooks`);
  await page.getByRole('link', { name: 'which to trust' }).click();
  await isInView(page, 'Which to trust');
  await page.goto(`${server.urls.panel}/reference/guides/errors`);
  await page.getByRole('link', { name: 'see below' }).click();
  await isInView(page, 'Every code');

  await page.goto(`${server.urls.panel}/reference/event_order_delivered`);
  await page.getByText('X-Signature').first().waitFor();
  await picture(page, 'event');

  assert.deepEqual(complaints, []);
});

test('the public reference shows a signed-in developer’s sandbox key and makes calls with it; a stranger’s page asks for nothing', {
  skip: noBrowser,
}, async () => {
  await using panel = await openPanel();
  const { page, complaints, server } = panel;
  const { key, call } = await createKey(panel);
  const { products } = await call('/catalog/products?country=FR&limit=1');
  const address = `${server.urls.panel}/docs/api/purchase_buy`;
  await page.goto(address);
  const sample = page.locator('.sample:visible pre');
  await page.getByText('TypeScript', { exact: true }).click();
  await sample.getByText(`'X-API-Key': "${key}"`).waitFor();
  await page.getByText('The samples contain your sandbox key').waitFor();
  const form = page.locator('form.try');
  await form.getByLabel('product_id').fill(products[0].id);
  await sample.getByText(products[0].id).waitFor();
  await picture(page, 'public-endpoint');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('"delivery": "delivered"').waitFor();
  await form.getByText(/^200, \d+ ms, request /).waitFor();
  await picture(page, 'public-tried');
  const kept = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  );
  assert.ok(!kept.includes(key) && kept.includes('TypeScript'));

  // A key that does not work is answered as the API answers it; another tab signs out, and the key goes.
  await form.getByLabel('Sandbox key').fill(`esk_test_${'0'.repeat(40)}`);
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('"invalid_api_key"').waitFor();
  assert.deepEqual(complaints, []);
  const other = await page.context().newPage();
  await other.goto(`${server.urls.panel}/settings`);
  await other.locator('#page').getByRole('button', { name: 'Sign out' }).click();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  await sample.getByText('process.env.WAYFARE_KEY').waitFor();
  assert.equal(await form.isVisible(), false);

  const context = await page.context().browser()?.newContext();
  const stranger = await context?.newPage();
  const asked: string[] = [];
  stranger?.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await stranger?.goto(address, { waitUntil: 'networkidle' });
  assert.deepEqual(
    asked.filter((path) => /^\/api|try/.test(path)),
    [],
  );
  await context?.close();
});
