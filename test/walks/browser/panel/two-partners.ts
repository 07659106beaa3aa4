import assert from 'node:assert/strict';
import { closeWindow, newWindow, watchedPage } from '../../../support/browser/browser.ts';
import { PASSWORD, type Panel } from '../../../support/browser/panel-browser.ts';
import { record } from '../../../support/program/app.ts';

/** A person joins a second partner with their password, chooses one and switches. */
export async function twoPartners({ context, operator }: Panel): Promise<void> {
  const email = 'ana@example.com';
  const json = async (...words: string[]) => (await operator(...words, '--json')).json;
  record('secrets', `${PASSWORD}\n`);
  const invite = async (name: string): Promise<string> => {
    const { partner_id } = await json('partner', 'create', '--name', name, '--email', 'a@example.com');
    const { link } = await json('member', 'invite', '--partner', String(partner_id), '--email', email);
    record('secrets', `${link.split('#')[1]}\n`);
    return link;
  };
  const browser = context.browser();
  assert.ok(browser);
  const theirs = await newWindow(browser);
  const { page, complaints } = await watchedPage(theirs);

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
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Choose an account' }).waitFor();
  // What was on its way at the sign-out was refused, which is right.
  complaints.length = 0;
  await page.getByRole('button', { name: 'Alpine' }).click();
  await isAt('Alpine');
  await account.selectOption({ label: 'Balkan' });
  await isAt('Balkan');
  assert.deepEqual(complaints, []);
  await closeWindow(theirs);
}
