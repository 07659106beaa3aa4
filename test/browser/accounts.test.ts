import assert from 'node:assert/strict';
import { test } from 'node:test';
import { record } from '../support/app.ts';
import { openBrowser, watchedPage } from '../support/browser.ts';
import { wayfare } from '../support/cli.ts';
import { testFolder } from '../support/folder.ts';
import { PASSWORD } from '../support/panel.ts';
import { noBrowser } from '../support/panel-browser.ts';
import { freshDatabase } from '../support/postgres.ts';
import { ServerProcess } from '../support/server-process.ts';

test('a person of two partners joins the second with their password, chooses one and switches', {
  skip: noBrowser,
}, async () => {
  await using undo = new AsyncDisposableStack();
  const { path: dataDir } = undo.use(await testFolder(0o711));
  const database = await freshDatabase();
  undo.defer(() => database.drop());
  const env = { DATABASE_URL: database.url, WAYFARE_SECRET: 'ab'.repeat(32), WAYFARE_DEMO: 'on' };
  const server = undo.use(await ServerProcess.start({ dataDir, env }));
  const cli = async (...words: string[]) =>
    (await wayfare({ ...env, PANEL_URL: server.urls.panel }, ...words, '--json')).json;
  const email = 'ana@example.com';
  record('secrets', `${PASSWORD}\n`);
  const invite = async (name: string): Promise<string> => {
    const { partner_id } = await cli('partner', 'create', '--name', name, '--email', 'a@example.com');
    const { link } = await cli('member', 'invite', '--partner', String(partner_id), '--email', email);
    record('secrets', `${link.split('#')[1]}\n`);
    return link;
  };
  const browser = undo.use(await openBrowser());
  const { page, complaints } = await watchedPage(await browser.newContext({ viewport: { width: 1440, height: 900 } }));

  await page.goto(await invite('Alpine'));
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await page.getByRole('banner').getByText('Alpine').waitFor();
  const account = page.getByLabel('Account', { exact: true });
  const isAt = (name: string) => account.locator('option:checked', { hasText: name }).waitFor({ state: 'attached' });
  assert.equal(await account.count(), 0, 'there is nothing to choose yet');

  await page.goto(await invite('Balkan'));
  await page.getByRole('button', { name: 'Use its password' }).click();
  await page.getByLabel('Password of your existing account').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in and join' }).click();
  await isAt('Balkan');

  assert.deepEqual(complaints, []);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('textbox', { name: 'mail' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Choose an account' }).waitFor();
  // What was on its way at the sign-out was refused, which is right.
  complaints.length = 0;
  await page.getByRole('button', { name: 'Alpine' }).click();
  await isAt('Alpine');
  await account.selectOption({ label: 'Balkan' });
  await isAt('Balkan');
  assert.deepEqual(complaints, []);
});
