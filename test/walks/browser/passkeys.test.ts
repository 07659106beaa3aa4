import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openDatabase } from '../../../src/platform/db/database.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { closeWindow, newWindow, PHONE, watchedPage } from '../../support/browser/browser.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { noBrowser, openPanel, PASSWORD, shownOnce } from '../../support/browser/panel-browser.ts';
import { record } from '../../support/program/app.ts';

/** An authenticator of Chromium's own, which says yes to everything. */
async function authenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
  } as const;
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  });
  return {
    credentials: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    add: (credential: { credentialId: string; isResidentCredential: boolean; privateKey: string; signCount: number }) =>
      cdp.send('WebAuthn.addCredential', { authenticatorId, credential }),
    refuse: () => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
  };
}

test('passkeys: added, used alone and after the password, asked for again, and removed', {
  skip: noBrowser,
}, async (t) => {
  await using panel = await openPanel();
  const { page, server, complaints } = panel;
  const browser = page.context().browser();
  assert.ok(browser);
  record('secrets', `${PASSWORD}\n`);
  const device = await authenticator(page);
  const dialog = page.getByRole('dialog');
  const section = page.getByRole('region', { name: 'Passkeys' });
  let recoveryCode = '';

  await t.test('the first one comes with recovery codes; the same device cannot be added twice', async () => {
    await page.getByRole('link', { name: 'Security' }).first().click();
    const add = async (name: string) => {
      await section.getByRole('button', { name: 'Add a passkey' }).click();
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByRole('button', { name: 'Continue' }).click();
    };
    await add('Laptop');
    const codes = await shownOnce(page, /^([A-Z2-7]{4}-){3}[A-Z2-7]{4}(\n.+){9}$/);
    for (const code of codes.split('\n')) record('secrets', `${code}\n`);
    recoveryCode = codes.split('\n')[0] ?? '';
    await section.getByRole('row', { name: /Laptop.*Never/ }).waitFor();
    await page.getByText('10 recovery codes left').waitFor();
    await add('Laptop again');
    await dialog.getByText('This device or key has a passkey of yours already.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(await layoutProblems(page), []);
  });

  const signedOut = async () => {
    await page.goto(`${server.urls.panel}/settings`);
    await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  };

  await t.test('alone it signs in, without an address', async () => {
    await signedOut();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Sandbox overview' }).waitFor();
    await page.getByRole('link', { name: 'Security' }).first().click();
    await section.getByRole('row', { name: /Laptop/ }).waitFor();
    assert.equal(await section.getByText('Never').count(), 0, 'it was used');
  });

  await t.test('after the password it takes the place of a code', async () => {
    await signedOut();
    await page.getByRole('textbox', { name: 'mail' }).fill('demo@example.com');
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Code').waitFor();
    await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    await page.getByRole('heading', { name: 'Sandbox overview' }).waitFor();
  });

  await t.test('where the browser has none, the page says so, and a recovery code lets in', async () => {
    const context = await newWindow(browser, PHONE);
    const { page: phone } = await watchedPage(context);
    const other = await authenticator(phone);
    await other.refuse();
    await phone.goto(`${server.urls.panel}/sign-in`);
    await phone.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await phone.getByText('No passkey was used. Try again, or choose another way.').waitFor();
    assert.deepEqual(await layoutProblems(phone), []);
    await phone.getByRole('textbox', { name: 'mail' }).fill('demo@example.com');
    await phone.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
    await phone.getByLabel('Code').fill(recoveryCode);
    await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
    await phone.getByRole('heading', { name: 'Sandbox overview' }).waitFor();
    await closeWindow(context);
  });

  await t.test('a copy of the device is refused once the device itself was used further', async () => {
    const [own] = await device.credentials();
    assert.ok(own && own.signCount > 0);
    const context = await newWindow(browser);
    const { page: theirs } = await watchedPage(context);
    const copy = await authenticator(theirs);
    await copy.add({ ...own, signCount: 0 });
    await theirs.goto(`${server.urls.panel}/sign-in`);
    await theirs.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await theirs.getByText('This passkey was not accepted.').waitFor();
    await closeWindow(context);
  });

  await t.test('a while later, removing it asks for it again; then the password is enough', async () => {
    const db = openDatabase({ url: panel.databaseUrl, name: 'test', searchPath: 'shared' });
    await db.run(sql`update sessions set confirmed_at = confirmed_at - interval '6 minutes'`);
    await db.close();
    await page.getByRole('link', { name: 'Security' }).first().click();
    await section.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog', { name: 'Remove the passkey' }).getByRole('button', { name: 'Remove' }).click();
    const confirmation = page.getByRole('dialog', { name: 'Confirm that it’s you' });
    await confirmation.getByRole('button', { name: 'Use a passkey' }).click();
    await section.getByText('No passkeys yet').waitFor();
    await page.getByText('Only your password protects your sign-in.').waitFor();
  });

  // A refused request is also logged by the browser itself.
  assert.deepEqual(
    complaints.filter((text) => !/40[13] \(/.test(text)),
    [],
  );
});
