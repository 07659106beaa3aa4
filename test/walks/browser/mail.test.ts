import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchedPage } from '../../support/browser/browser.ts';
import { noBrowser, openPanel, PASSWORD } from '../../support/browser/panel-browser.ts';
import { eventually } from '../../support/eventually.ts';
import { record } from '../../support/program/app.ts';
import { FROM, smtpServer } from '../../support/servers/smtp.ts';

test('by mail: an invitation is accepted, and a forgotten password replaced', { skip: noBrowser }, async () => {
  await using smtp = await smtpServer();
  await using panel = await openPanel({ SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: FROM });
  const { server, context, operator } = panel;
  record('secrets', `${PASSWORD}\n`);
  const linkTo = (email: string, subject: RegExp) =>
    eventually(`a mail to ${email}`, async () => {
      const mail = smtp.to(email).find(({ headers }) => subject.test(headers.subject ?? ''));
      const link = mail?.text.match(/^http.*#wfl_[\w-]+$/m)?.[0];
      if (link) record('secrets', `${link.split('#')[1]}\n`);
      return link;
    });
  const { json } = await operator('partner', 'create', '--name', 'Alpine', '--email', 'a@example.com');
  await operator('member', 'invite', '--partner', String(json.partner_id), '--email', 'ana@example.com');

  await context.clearCookies();
  const { page, complaints } = await watchedPage(context);
  await page.goto(await linkTo('ana@example.com', /invitation to Alpine/));
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await page.getByRole('banner').getByText('Alpine').waitFor();

  await page.goto(`${server.urls.panel}/settings`);
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('textbox', { name: 'mail' }).fill('ben@example.com');
  await page.getByRole('button', { name: 'Create invitation' }).click();
  await page.getByText('We have sent it to ben@example.com.').waitFor();
  const mailed = await linkTo('ben@example.com', /invitation to Alpine/);
  assert.equal(await page.getByText(mailed).count(), 0, 'a mailed link is not shown');
  await page.getByRole('button', { name: 'OK', exact: true }).click();

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
