import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { stepAt, totpCode } from '../../../src/domains/partners/people/second-factor.ts';
import { openDatabase } from '../../../src/platform/db/database.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { closeWindow, newWindow, PHONE, watchedPage } from '../../support/browser/browser.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { noBrowser, openPanel, PASSWORD, shownOnce } from '../../support/browser/panel-browser.ts';
import { record } from '../../support/program/app.ts';

const LINK = /^http\S+\/welcome#\S+$/;

test('the account: roles, two-step sign-in, sessions, confirmations and activity', { skip: noBrowser }, async (t) => {
  await using panel = await openPanel();
  const { page, server, complaints } = panel;
  const browser = page.context().browser();
  assert.ok(browser);
  record('secrets', `${PASSWORD}\n`);
  const dialog = page.getByRole('dialog');
  const settings = () => page.getByRole('link', { name: 'Settings' }).first().click();
  const security = () => page.getByRole('link', { name: 'Security' }).first().click();
  const links: Record<string, string> = {};
  let key = '';
  let recoveryCode = '';
  /** A code not used yet: each is accepted once, and the app's clock may be a step ahead. */
  let lastStep = 0;
  const nextCode = () => {
    lastStep = Math.max(stepAt(Date.now()), lastStep + 1);
    return totpCode(key, lastStep);
  };

  await t.test('an owner invites somebody for each role; a lost link is replaced, an invitation revoked', async () => {
    await settings();
    for (const role of ['Developer', 'Finance', 'Read-only']) {
      await page.getByRole('button', { name: 'Invite' }).click();
      await dialog.getByLabel('Email').fill(`${role.toLowerCase()}@example.com`);
      await dialog.getByRole('radio', { name: role }).check();
      await dialog.getByRole('button', { name: 'Create invitation' }).click();
      links[role] = await shownOnce(page, LINK);
    }
    const row = page.getByRole('row', { name: /finance@example\.com/ });
    await row.getByRole('button', { name: 'New link' }).click();
    const again = await shownOnce(page, LINK);
    assert.notEqual(again, links.Finance);
    links.Finance = again;
    await page.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByLabel('Email').fill('wrong@example.com');
    await dialog.getByRole('button', { name: 'Create invitation' }).click();
    await shownOnce(page, LINK);
    const wrong = page.getByRole('row', { name: /wrong@example\.com/ });
    await wrong.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await wrong.waitFor({ state: 'detached' });
  });

  await t.test('each role sees what it may, and reads what it may not', async () => {
    const expected: Record<string, { keys: RegExp; makesKeys: boolean; money: boolean }> = {
      Developer: { keys: /esk_/, makesKeys: true, money: false },
      Finance: { keys: /Your role, finance, can’t see API keys/, makesKeys: false, money: true },
      'Read-only': { keys: /esk_/, makesKeys: false, money: true },
    };
    for (const [role, { keys, makesKeys, money }] of Object.entries(expected)) {
      const context = await newWindow(browser, PHONE);
      const { page: theirs } = await watchedPage(context);
      await theirs.goto(links[role] ?? '');
      await theirs.getByLabel('New password').fill(PASSWORD);
      await theirs.getByRole('button', { name: 'Set password and sign in' }).click();
      await theirs.getByRole('heading', { name: 'Sandbox overview' }).waitFor();
      await theirs.goto(`${server.urls.panel}/keys`);
      await theirs.getByText(keys).first().waitFor();
      assert.equal(await theirs.getByRole('button', { name: 'New key' }).count(), makesKeys ? 1 : 0, role);
      await theirs.goto(`${server.urls.panel}/settings`);
      await theirs.getByRole('heading', { name: 'Members' }).waitFor();
      assert.equal(await theirs.getByRole('button', { name: 'Invite' }).count(), 0, role);
      const level = theirs.getByRole('heading', { name: 'Balance alert' });
      assert.equal(await level.count(), role === 'Finance' ? 1 : 0, role);
      const answer = await context.request.get(`${server.urls.panel}/api/live/v3/account/balance`);
      assert.equal(answer.status(), money ? 200 : 403, role);
      await closeWindow(context);
    }
  });

  await t.test('two-step sign-in is set up with the typed key; the recovery codes are shown once', async () => {
    await security();
    await page.getByRole('button', { name: 'Set up' }).click();
    await dialog.getByRole('img', { name: 'QR code of the key' }).waitFor();
    key = (await dialog.locator('.mono').first().textContent()) ?? '';
    assert.match(key, /^[A-Z2-7]{32}$/);
    record('secrets', `${key}\n`);
    await dialog.getByLabel('Code').fill(nextCode());
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const codes = await shownOnce(page, /^([A-Z2-7]{4}-){3}[A-Z2-7]{4}(\n.+){9}$/);
    for (const code of codes.split('\n')) record('secrets', `${code}\n`);
    recoveryCode = codes.split('\n')[0] ?? '';
    await page.getByText('10 recovery codes left').waitFor();
  });

  await t.test('the next sign-in asks for a code, and says when it is wrong', async () => {
    const context = await newWindow(browser);
    const { page: other } = await watchedPage(context);
    await other.goto(`${server.urls.panel}/sign-in`);
    await enter(other);
    await other.getByLabel('Code').fill('000000');
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.getByText('The code is wrong, or was used before.').waitFor();
    await other.getByLabel('Code').fill(nextCode());
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.getByRole('heading', { name: 'Sandbox overview' }).waitFor();

    await page.reload();
    const sessions = page.getByRole('region', { name: 'Where you’re signed in' });
    await sessions.getByText('Chrome on Linux').nth(1).waitFor();
    await sessions.getByRole('button', { name: 'Sign out', exact: true }).click();
    await sessions.getByRole('button', { name: 'Sign out', exact: true }).waitFor({ state: 'detached' });
    await other.goto(`${server.urls.panel}/keys`);
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await closeWindow(context);
  });

  await t.test('after a while, a key is made only by somebody who gives password and code again', async () => {
    const db = openDatabase({ url: panel.databaseUrl, name: 'test', searchPath: 'shared' });
    await db.run(sql`update sessions set confirmed_at = confirmed_at - interval '6 minutes'`);
    await db.close();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'New key', exact: true }).click();
    await dialog.getByLabel('Name').fill('Checkout server');
    await dialog.getByLabel('Last day it works').fill('2040-05-31');
    await dialog.getByRole('switch', { name: 'Restrict what the key may do' }).check({ force: true });
    for (const name of ['Read', 'Buy']) await dialog.getByRole('checkbox', { name, exact: true }).check();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const confirmation = page.getByRole('dialog', { name: 'Confirm that it’s you' });
    await confirmation.getByLabel('Password').first().fill('not this one, surely');
    await confirmation.getByLabel('Code').fill(recoveryCode);
    await confirmation.getByRole('button', { name: 'Confirm' }).click();
    await confirmation.getByText('The current password is wrong.').waitFor();
    await confirmation.getByLabel('Password').first().fill(PASSWORD);
    await confirmation.getByRole('button', { name: 'Confirm' }).click();
    await shownOnce(page, /^esk_test_[0-9a-f]{40}$/);
    const row = page.getByRole('row', { name: /Checkout server/ });
    await row.getByText(/31 May 2040/).waitFor();
    await row.getByText('Read, Buy').waitFor();
  });

  await t.test('the activity says in words who did what', async () => {
    await settings();
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByText(/Created the API key Checkout server \(esk_test_/).waitFor();
    await page.getByText('May only: Read, Buy').waitFor();
    await page.getByText('Turned on two-step sign-in').waitFor();
    await page.getByText('Made a new invitation link for finance@example.com').waitFor();
    await page.getByText('Role: Developer').waitFor();
    await page.goto(`${server.urls.panel}/security`);
    await page.getByText('9 recovery codes left').waitFor();
    assert.deepEqual(await layoutProblems(page), []);
  });

  // A refused request is also logged by the browser itself.
  assert.deepEqual(
    complaints.filter((text) => !text.includes('403 (Forbidden)')),
    [],
  );
});

async function enter(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'mail' }).fill('demo@example.com');
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
