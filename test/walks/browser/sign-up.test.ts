import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { newWindow, PHONE, watchedPage } from '../../support/browser/browser.ts';
import { faults, prepare, tooWide } from '../../support/browser/every-page/page-checks.ts';
import { noBrowser, PASSWORD } from '../../support/browser/panel-browser.ts';
import { eventually } from '../../support/eventually.ts';
import { record } from '../../support/program/app.ts';
import { panelStage } from '../../support/program/panel-stage.ts';

const DESKTOP = { width: 1440, height: 900 };

test('a stranger signs up, buys a sandbox eSIM and asks for live; an operator asks back and approves; then they have live', {
  skip: noBrowser,
}, async () => {
  await using stage = await panelStage({ config: { signUp: 'open' } });
  const { url, smtp, browser } = stage;
  const email = 'ana@island.example';
  record('secrets', `${PASSWORD}\n`);
  const windows: BrowserContext[] = [];
  const enter = async (context: BrowserContext) => {
    windows.push(context);
    return watchedPage(context);
  };
  const { page, complaints } = await enter(await newWindow(browser));
  const mailed = (subject: RegExp) =>
    eventually(`a mail about ${subject}`, async () =>
      smtp.to(email).find(({ headers }) => subject.test(headers.subject ?? '')),
    );

  await page.goto(`${url}/sign-in`);
  await page.getByRole('link', { name: 'Sign up' }).click();
  await page.getByLabel('Your name').fill('Ana Silva');
  await page.getByLabel('Company').fill('Island Hopper');
  await page.getByLabel('Email').fill(email);
  await readable(page);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await readable(page);

  const link = (await mailed(/Confirm your sign-up/)).text.match(/^http.*#wfl_[\w-]+$/m)?.[0] ?? '';
  record('secrets', `${link.split('#')[1]}\n`);
  await page.goto(link);
  await page.getByText('The sandbox account of Island Hopper is opened at once').waitFor();
  assert.equal(new URL(page.url()).hash, '', 'the token is no longer in the address bar');
  await page.getByLabel('New password').fill(PASSWORD);
  await readable(page);
  await page.getByRole('button', { name: 'Set password and open the account' }).click();
  await page.getByRole('heading', { name: 'Your account is open' }).waitFor();
  const key = (await page.locator('pre').first().textContent()) ?? '';
  assert.match(key, /^esk_test_[0-9a-f]{40}$/);
  record('secrets', `${key}\n`);
  await page.getByText('curl --silent').waitFor();
  await page.getByText('TypeScript', { exact: true }).click();
  await page.getByText('await fetch(').waitFor();
  await page.getByRole('button', { name: 'Buy it now' }).click();
  const order = page.getByRole('link', { name: /^Open order \d+$/ });
  await order.waitFor();
  await page.getByText('Delivered.').waitFor();
  await readable(page);
  await page.getByRole('link', { name: 'Open the panel' }).click();
  await page.getByRole('heading', { name: 'Sandbox overview' }).waitFor();
  await page.goBack();
  assert.equal(await page.getByText(key).count(), 0, 'the key was shown once');

  await page.goto(`${url}/live/orders`);
  await page.getByRole('heading', { name: 'Go live' }).waitFor();
  assert.equal(await page.getByLabel('Company').inputValue(), 'Island Hopper');
  for (const [label, text] of Object.entries({
    Address: '1 Harbour Road, Nassau',
    'Tax number': 'BS-123',
    'Expected volume': '200 eSIMs a month',
    Use: 'Ferry passengers',
  }))
    await page.getByRole('textbox', { name: label, exact: true }).fill(text);
  await page.getByLabel('Country').selectOption('Bahamas');
  await readable(page);
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('heading', { name: 'We are looking at your application' }).waitFor();
  await readable(page);

  const { page: desk, complaints: atDesk } = await enter(await stage.operate('admin'));
  await desk.goto(`${url}/operator`);
  await desk.getByRole('link', { name: '1 application waits for you' }).click();
  await readable(desk);
  await desk.getByRole('link', { name: 'Island Hopper' }).click();
  await desk.getByText('Ferry passengers').waitFor();
  await readable(desk);
  await desk.getByRole('button', { name: 'Ask back' }).click();
  await desk.getByRole('textbox', { name: 'Question' }).fill('Which ferries?');
  await desk.getByRole('dialog').getByRole('button', { name: 'Ask back' }).click();
  await desk.getByText('Asked', { exact: true }).first().waitFor();
  await mailed(/A question about your application/);

  await page.reload();
  await page.getByText('Which ferries?').waitFor();
  await page.getByRole('textbox', { name: 'Your answer' }).fill('Nassau to Bimini');
  await readable(page);
  await page.getByRole('button', { name: 'Send the answer' }).click();
  await page.getByText('Nassau to Bimini').waitFor();

  await desk.reload();
  await desk.getByText('Nassau to Bimini').waitFor();
  await desk.getByRole('button', { name: 'Approve' }).click();
  await desk.getByRole('combobox', { name: 'Billing' }).selectOption('postpaid');
  await desk.getByRole('textbox', { name: 'Credit limit in USD' }).fill('500');
  await readable(desk);
  await desk.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await desk.getByText('Approved', { exact: true }).first().waitFor();
  await mailed(/Live is open for Island Hopper/);

  await page.goto(`${url}/live`);
  await page.getByRole('heading', { name: 'Live overview' }).waitFor();
  await page.goto(`${url}/go-live`);
  await page.getByRole('heading', { name: 'Live is open' }).waitFor();
  await readable(page);
  assert.deepEqual([complaints, atDesk], [[], []]);
  await Promise.all(windows.map((context) => context.close()));
});

/** As it is now, on a desktop and on a phone. */
async function readable(page: Page): Promise<void> {
  await prepare(page);
  for (const size of [PHONE, DESKTOP]) {
    await page.setViewportSize(size);
    assert.deepEqual([...(await faults(page, 'everything')), ...(await tooWide(page, size.width))], [], page.url());
  }
}
