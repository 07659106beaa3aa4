import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { record } from '../support/app.ts';
import { openBrowser, watchedPage } from '../support/browser.ts';
import { testFolder } from '../support/folder.ts';
import { layoutProblems } from '../support/layout-problems.ts';
import { freshDatabase } from '../support/postgres.ts';
import { receiver } from '../support/receiver.ts';
import { ServerProcess } from '../support/server-process.ts';

const PASSWORD = 'a password of ten and more';

/** On a machine that can neither fetch nor start a browser, these tests are skipped and say why. */
const skip = await openBrowser()
  .then((browser) => browser.close())
  .then(
    () => false,
    (error: Error) => error.message.split('\n', 1)[0] ?? 'no browser',
  );

test('the panel in a browser', { skip }, async (t) => {
  await using undo = new AsyncDisposableStack();
  const { path: dataDir } = undo.use(await testFolder(0o711));
  const database = await freshDatabase();
  undo.defer(() => database.drop());
  const hook = undo.use(await receiver());
  const server = undo.use(
    await ServerProcess.start({
      dataDir,
      env: { DATABASE_URL: database.url, WAYFARE_SECRET: 'ab'.repeat(32), WEBHOOK_TRUSTED_HOSTS: hook.host },
    }),
  );
  const browser = undo.use(await openBrowser());
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const { page, complaints } = await watchedPage(context);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');

  await t.test(
    'a member signs in, creates a key, receives webhooks, advances the clock, resets the sandbox and signs out',
    async () => {
      await comeIn(page, await invitationOf(server));
      assert.equal(new URL(page.url()).pathname, '/sandbox');

      // A key is shown once, in a dialog that no stray click closes.
      await page.getByRole('link', { name: 'API keys' }).click();
      await button('New key').click();
      await dialog.getByRole('button', { name: 'Create key' }).click();
      const key = await shownOnce(page, /^esk_test_[0-9a-f]{40}$/);
      assert.ok(!(await page.content()).includes(key), 'the key is gone from the page');
      const call = (path: string, form?: Record<string, string>) => callApi(server.urls.sandbox + path, key, form);
      assert.equal((await call('/account/balance')).balance, 1000);

      // A webhook, which then receives the events of an order.
      await page.getByRole('link', { name: 'Webhooks' }).click();
      await button('Add webhook').click();
      await dialog.getByLabel('URL').fill(hook.url);
      await dialog.getByRole('button', { name: 'Add webhook' }).click();
      await shownOnce(page, /^whsec_\w+$/);
      await page.getByRole('link', { name: hook.url }).click();
      await button('Send test event').click();
      await page.getByRole('cell', { name: 'Delivered' }).waitFor();
      await page.getByRole('cell').getByRole('link').click();
      await dialog.getByText('Request body').waitFor();
      complaints.push(...(await layoutProblems(page)));
      await page.keyboard.press('Escape');

      const { products } = await call('/catalog/products?country=FR&limit=1');
      const bought = await call('/purchase/buy', { product_id: products[0].id, sandbox_scenario: 'deferred' });
      assert.equal(bought.delivery, 'deferred');
      await hook.got(4);

      // A deferred order arrives a minute later: advance the clock by a minute.
      await page.getByRole('link', { name: 'Orders' }).click();
      await page.getByRole('cell', { name: 'Awaiting delivery' }).waitFor();
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
    },
  );

  await t.test('every page is accessible, fits a phone and logs no errors', () => everyPage(page, server.urls.panel));
});

async function everyPage(signedIn: Page, panel: string): Promise<void> {
  const { page, complaints } = await watchedPage(signedIn.context());
  const ofWorld = [
    '',
    '/orders',
    '/webhooks',
    '/money',
    '/money?tab=statement',
    '/money?tab=share',
    '/money?tab=prices',
  ];
  const all = [
    ...['/live', '/sandbox'].flatMap((world) => ofWorld.map((path) => world + path)),
    ...['/sandbox/tools', '/keys', '/settings', '/nowhere'],
  ];
  for (const path of all) {
    await page.goto(panel + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    complaints.push(...(await layoutProblems(page)));
  }
  assert.deepEqual(complaints, []);
}

async function invitationOf(server: ServerProcess): Promise<string> {
  const link = /http\S+\/welcome#\S+/.exec(await server.banner())?.[0] ?? '';
  assert.notEqual(link, '', 'the first start prints an invitation');
  record('secrets', `${new URL(link).hash.slice(1)}\n`);
  return link;
}

async function comeIn(page: Page, invitation: string): Promise<void> {
  await page.goto(invitation);
  await page.getByText('join Demo Travel').waitFor();
  assert.equal(new URL(page.url()).hash, '', 'the token is no longer in the address bar');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await page.getByRole('heading', { name: 'Sandbox overview' }).waitFor();
}

/** Reads a secret from its dialog, which neither Escape nor a click outside closes, then closes it. */
async function shownOnce(page: Page, form: RegExp): Promise<string> {
  const shown = page.getByRole('dialog').locator('pre');
  await shown.waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 450);
  const secret = (await shown.textContent()) ?? '';
  assert.match(secret, form);
  record('secrets', `${secret}\n`);
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  await shown.waitFor({ state: 'detached' });
  return secret;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the contract says is there.
async function callApi(address: string, key: string, form?: Record<string, string>): Promise<any> {
  const answer = await fetch(address, {
    headers: { 'x-api-key': key },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  return answer.json();
}
