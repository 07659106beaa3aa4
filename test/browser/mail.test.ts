import assert from 'node:assert/strict';
import { test } from 'node:test';
import { record } from '../support/app.ts';
import { openBrowser, watchedPage } from '../support/browser.ts';
import { wayfare } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { testFolder } from '../support/folder.ts';
import { PASSWORD } from '../support/panel.ts';
import { noBrowser } from '../support/panel-browser.ts';
import { freshDatabase } from '../support/postgres.ts';
import { ServerProcess } from '../support/server-process.ts';
import { FROM, smtpServer } from '../support/smtp.ts';

test('by mail: an invitation is accepted, and a forgotten password replaced', { skip: noBrowser }, async () => {
  await using undo = new AsyncDisposableStack();
  const { path: dataDir } = undo.use(await testFolder(0o711));
  const database = await freshDatabase();
  undo.defer(() => database.drop());
  const smtp = undo.use(await smtpServer());
  const env = {
    DATABASE_URL: database.url,
    WAYFARE_SECRET: 'ab'.repeat(32),
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MAIL_FROM: FROM,
  };
  const server = undo.use(await ServerProcess.start({ dataDir, env }));
  const cli = async (...words: string[]) =>
    (await wayfare({ ...env, PANEL_URL: server.urls.panel }, ...words, '--json')).json;
  record('secrets', `${PASSWORD}\n`);
  const linkTo = (email: string, subject: RegExp) =>
    eventually(`a mail to ${email}`, async () => {
      const mail = smtp.to(email).find(({ headers }) => subject.test(headers.subject ?? ''));
      const link = mail?.text.match(/^http.*#wfl_[\w-]+$/m)?.[0];
      if (link) record('secrets', `${link.split('#')[1]}\n`);
      return link;
    });
  const { partner_id } = await cli('partner', 'create', '--name', 'Alpine', '--email', 'a@example.com');
  await cli('member', 'invite', '--partner', String(partner_id), '--email', 'ana@example.com');

  const browser = undo.use(await openBrowser());
  const { page, complaints } = await watchedPage(await browser.newContext({ viewport: { width: 1440, height: 900 } }));
  await page.goto(await linkTo('ana@example.com', /invitation to Alpine/));
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await page.getByRole('banner').getByText('Alpine').waitFor();

  await page.goto(`${server.urls.panel}/settings`);
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('textbox', { name: 'mail' }).fill('ben@example.com');
  await page.getByRole('button', { name: 'Create invitation' }).click();
  await page.getByText('We have sent the invitation to ben@example.com.').waitFor();
  const mailed = await linkTo('ben@example.com', /invitation to Alpine/);
  await page.getByText(mailed).waitFor();
  await page.getByRole('button', { name: 'I’ve saved it' }).click();

  assert.deepEqual(complaints, []);
  await page.locator('#page').getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  // What was on its way at the sign-out was refused, which is right.
  complaints.length = 0;
  await page.getByRole('textbox', { name: 'mail' }).fill('ana@example.com');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await page.goto(await linkTo('ana@example.com', /new password for Alpine/));
  await page.getByLabel('New password').fill(`${PASSWORD} too`);
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await page.getByRole('banner').getByText('Alpine').waitFor();
  assert.deepEqual(complaints, []);
});
