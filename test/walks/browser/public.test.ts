import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeWindow, newWindow, PHONE, watchedPage } from '../../support/browser/browser.ts';
import { smallTargets } from '../../support/browser/every-page/page-checks.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { run } from '../../support/program/operator.ts';
import { emptyStage } from '../../support/program/panel-stage.ts';

const pages = [
  '/',
  '/docs',
  '/docs/guides/orders',
  '/docs/guides/errors',
  '/docs/api',
  '/docs/api/purchase_buy',
  '/docs/api/event_order_paid',
  '/docs/tools',
  '/docs/search?q=buy',
  '/changelog',
  '/status',
];

test('the public pages', { skip: noBrowser }, async (t) => {
  await using stage = await emptyStage();
  const words = ['--title', 'Slow purchases', '--text', 'We are looking.', '--impact', 'minor', '--parts', 'api'];
  await run(stage.t.operator(), ['incident', 'write', ...words]);
  const context = await newWindow(stage.browser);
  const { page, complaints } = await watchedPage(context);

  await t.test('can be read by everybody, on a desktop and a phone, in both themes', async () => {
    for (const path of pages) {
      await page.goto(stage.url + path);
      complaints.push(...(await layoutProblems(page, async () => {})));
      await page.setViewportSize(PHONE);
      complaints.push(...(await smallTargets(page)).map((target) => `${path}: ${target}`));
      const sections = page.getByRole('navigation', { name: 'Sections' });
      if (await sections.evaluate((nav) => nav.scrollWidth > nav.clientWidth))
        complaints.push(`${path}: sections are cut off`);
    }
    assert.deepEqual(complaints, []);
  });

  await t.test('keep names in tables whole, also on a phone: the table scrolls instead', async () => {
    await page.setViewportSize(PHONE);
    for (const path of ['/docs/guides/orders', '/docs/guides/errors']) {
      await page.goto(stage.url + path);
      const names = await page
        .locator('td code', { hasText: /^\w+$/ })
        .evaluateAll((all) => all.map((one) => ({ name: one.textContent, lines: one.getClientRects().length })));
      assert.ok(names.length > 5, path);
      assert.deepEqual(
        names.filter(({ lines }) => lines > 1),
        [],
        path,
      );
    }
  });

  await t.test('remember the language of samples from page to page', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${stage.url}/docs/api/purchase_buy`);
    await page.getByText('Python', { exact: true }).click();
    await page.getByText('from urllib.request import').waitFor();
    await page.getByRole('link', { name: 'purchase/quote' }).first().click();
    await page.getByRole('heading', { name: 'purchase/quote' }).waitFor();
    await page.getByText('from urllib.request import').waitFor();
    assert.equal(await page.getByRole('radio', { name: 'Python' }).isChecked(), true);
    assert.deepEqual(complaints, []);
  });

  await t.test('lead from a search to an endpoint, and to the sign-in', async () => {
    await page.goto(stage.url);
    await page.getByRole('searchbox').fill('insufficient_balance');
    await page.keyboard.press('Enter');
    await page.getByRole('main').getByRole('link', { name: 'purchase/buy', exact: true }).first().click();
    await page.getByRole('heading', { name: 'purchase/buy' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.deepEqual(complaints, []);
  });

  await t.test('work without scripts, the choice of a language included', async () => {
    const plain = await stage.browser.newContext({ javaScriptEnabled: false });
    const bare = await plain.newPage();
    await bare.goto(`${stage.url}/docs/api/purchase_buy`);
    await bare.getByText('curl --silent').waitFor();
    await bare.getByText('Go', { exact: true }).click();
    await bare.getByText('package main').waitFor();
    assert.equal(await bare.getByText('curl --silent').isVisible(), false);
    await closeWindow(plain);
  });
  await closeWindow(context);
});
