import { test } from 'node:test';
import { layoutProblems } from './support/browser/layout-problems.ts';
import { openPanel } from './support/browser/panel-browser.ts';
import { record } from './support/program/app.ts';

test('look', async () => {
  await using panel = await openPanel({ CARD_PAYMENTS: 'simulated', SITE_NAME: 'Kaigan Travel' });
  const { page, server } = panel;
  await page.goto(`${server.urls.panel}/live/money`);
  await page.getByLabel('Amount (USD)').fill('50');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.waitForURL(/\/pay\//);
  record('secrets', `${page.url().split('/').at(-1)}\n`);
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.waitForTimeout(2000);
  await page.goto(`${server.urls.panel}/live/money`);
  await page.getByRole('main').getByRole('link', { name: 'Receipt' }).nth(1).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(500);
  await page.screenshot({ path: '/tmp/w7-390.png', fullPage: true });
  console.log(await layoutProblems(page));
});
