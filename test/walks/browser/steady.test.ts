import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { PHONE } from '../../support/browser/browser.ts';
import { richAccount } from '../../support/browser/every-page/rich-account.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { panelStage } from '../../support/program/panel-stage.ts';

/** The sum up to which the measure's authors call a page good. */
const MOST_SHIFT = 0.1;
/** So that placeholders are seen, and answers arrive in an order that is the same in every run. */
const SLOW_MS = 150;
const ORDERS = 5;

/** Notes by how much what is shown moves, also after a click, and what it was. */
const NOTED = `{
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      window.shifts.push({ value, of: sources.map(({ node, previousRect, currentRect }) =>
        (node?.outerHTML ?? node?.textContent ?? '').slice(0, 100) + ' from ' + previousRect.y + ' to ' + currentRect.y) });
  }).observe({ type: 'layout-shift', buffered: true });
}`;

test('while a page of the panel loads, what is there already stays about where it is', {
  skip: noBrowser,
}, async (t) => {
  await using stage = await panelStage();
  const { url } = stage;
  const { partnerId, sandbox } = await richAccount(stage);
  const everywhere = [
    `/sandbox/esims/${sandbox.iccid}`,
    '/sandbox/requests',
    `/sandbox/webhooks/${sandbox.working}`,
    '/settings',
  ];
  // On a phone these still move by more: what their notices need is not known before they are there.
  const wide = ['/sandbox/esims', '/sandbox/catalog', '/sandbox/catalog?destination=JP', '/live/invoices'];

  async function slowed(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    await page.addInitScript(NOTED);
    await page.route('**/api/**', async (route) => {
      const path = new URL(route.request().url()).pathname;
      await wait(SLOW_MS * (1 + ([...path].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % ORDERS)));
      await route.continue();
    });
    return page;
  }

  async function moved(page: Page): Promise<{ sum: number; what: string[] }> {
    await page.waitForLoadState('networkidle');
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    const shifts = await page.evaluate<{ value: number; of: string[] }[]>(
      'new Promise(requestAnimationFrame).then(() => window.shifts.splice(0))',
    );
    const sum = shifts.reduce((all, { value }) => all + value, 0);
    return { sum, what: shifts.flatMap(({ value, of }) => [`${value.toFixed(4)}:`, ...of]) };
  }

  for (const { screen, size, pages } of [
    { screen: 'desktop', size: { width: 1440, height: 900 }, pages: [...everywhere, ...wide] },
    { screen: 'phone', size: PHONE, pages: everywhere },
  ]) {
    const page = await slowed(await stage.enter(partnerId));
    await page.setViewportSize(size);
    for (const path of pages)
      await t.test(`${path} on a ${screen}`, async (own) => {
        await page.goto(url + path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        const { sum, what } = await moved(page);
        own.diagnostic(`moved by ${sum.toFixed(4)}`);
        assert.ok(sum <= MOST_SHIFT, `${sum.toFixed(3)}\n${what.join('\n')}`);
      });
  }

  await t.test('from page to page by the navigation', async (own) => {
    const page = await slowed(await stage.enter(partnerId));
    await page.goto(`${url}/sandbox`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await moved(page);
    for (const name of ['Orders', 'eSIMs', 'Catalog', 'Settings', 'Overview']) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
      await page.waitForLoadState('networkidle');
      const { sum, what } = await moved(page);
      own.diagnostic(`${name}: moved by ${sum.toFixed(4)}`);
      assert.ok(sum <= MOST_SHIFT, `${name}: ${sum.toFixed(3)}\n${what.join('\n')}`);
    }
  });
});
