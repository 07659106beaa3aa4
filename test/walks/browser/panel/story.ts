import assert from 'node:assert/strict';
import { watchedPage } from '../../../support/browser/browser.ts';
import { layoutProblems } from '../../../support/browser/layout-problems.ts';
import { createKey, PASSWORD, type Panel, shownOnce } from '../../../support/browser/panel-browser.ts';

/** A member's first day: a key, webhooks, the test clock, a reset, and out and in again. */
export async function story(panel: Panel): Promise<void> {
  const { server, hook, context, page, complaints } = panel;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');
  assert.equal(new URL(page.url()).pathname, '/sandbox');

  // A key is shown once, in a dialog that no stray click closes.
  const { key, call } = await createKey(panel);
  assert.ok(!(await page.content()).includes(key), 'the key is gone from the page');
  assert.equal((await call('/account/balance')).balance, 1000);

  // A webhook, which then receives the events of an order.
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await button('Add webhook').click();
  await dialog.getByLabel('URL').fill(hook.url);
  const sample = dialog.getByLabel('Sample body of esim.depleted', { exact: true });
  await sample.click();
  await dialog.getByText('"status": "depleted"').waitFor();
  complaints.push(...(await layoutProblems(page)));
  await sample.click();
  await dialog.locator('pre').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await shownOnce(page, /^whsec_\w+$/);
  await page.getByRole('link', { name: hook.url }).click();
  await button('Send test event').click();
  await page.getByRole('cell', { name: 'Delivered' }).waitFor();
  await page.getByRole('cell').getByRole('link').click();
  await dialog.getByText('Request body').waitFor();
  await page.keyboard.press('Escape');

  const { products } = await call('/catalog/products?country=FR&limit=1');
  const bought = await call('/purchase/buy', { product_id: products[0].id, sandbox_scenario: 'deferred' });
  assert.equal(bought.delivery, 'deferred');
  await hook.got(4);

  // A deferred order arrives a minute later: advance the clock by a minute.
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('cell', { name: 'Delivery delayed' }).waitFor();
  await page.getByRole('link', { name: 'Sandbox tools' }).click();
  await button('+1 minute').click();
  await page.getByText('The test clock is on').waitFor();
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('cell', { name: 'Delivered' }).waitFor();
  const drawn = page.waitForResponse((answer) => answer.url().startsWith(`${server.urls.panel}/qr/`));
  await page.getByRole('link', { name: bought.id, exact: true }).click();
  assert.equal((await drawn).status(), 200);
  await page.getByRole('img', { name: 'QR code that installs this eSIM' }).waitFor();
  await hook.got(5);
  assert.ok(hook.received.some(({ body }) => JSON.parse(body).event === 'order.delivered'));
  await button('Return to real time').click();
  await page.getByText('The test clock is on').waitFor({ state: 'detached' });

  // Resetting asks for confirmation.
  await page.getByRole('link', { name: 'Sandbox tools' }).click();
  await button('Reset sandbox').click();
  assert.ok(await dialog.getByRole('button', { name: 'Reset sandbox' }).isDisabled());
  await dialog.getByRole('textbox').fill('reset');
  await dialog.getByRole('button', { name: 'Reset sandbox' }).click();
  await page.getByText('1 order was deleted.').waitFor();

  // A revoked key stops working immediately.
  await page.getByRole('link', { name: 'API keys' }).click();
  const row = page.getByRole('row').filter({ hasText: key.slice(-4) });
  await row.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await row.waitFor({ state: 'detached' });
  assert.equal((await call('/account/balance')).error, 'invalid_api_key');

  assert.deepEqual(complaints, []);

  // Signing out affects every tab; signing in returns to the page that was requested.
  const { page: otherTab } = await watchedPage(context);
  await otherTab.goto(`${server.urls.panel}/settings`);
  await otherTab.getByRole('cell', { name: 'demo@example.com' }).waitFor();
  await button('Sign out').click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await otherTab.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.ok(!(await otherTab.content()).includes('demo@example.com'), 'nothing of the member is left there');
  await otherTab.close();
  await page.goto(`${server.urls.panel}/sandbox/tools`);
  await page.getByLabel('Email').fill('demo@example.com');
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await button('Sign in').click();
  await page.getByRole('heading', { name: 'Sandbox tools' }).waitFor();
  // What was on its way at the sign-out was refused, which is right.
  complaints.length = 0;
  const [{ subscription_id: id }] = (await panel.operator('webhook', 'list', '--partner', '1', '--json')).json;
  await panel.operator('webhook', 'delete', String(id));
}
