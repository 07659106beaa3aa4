import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext } from 'playwright-core';
import { watchedPage } from '../../support/browser/browser.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { eventually } from '../../support/eventually.ts';
import { panelStage } from '../../support/program/panel-stage.ts';

test('the palette', { skip: noBrowser }, async (t) => {
  await using stage = await panelStage();
  const { demo, url } = stage;

  async function at(context: BrowserContext, path: string) {
    const { page, complaints } = await watchedPage(context);
    await page.goto(url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const dialog = page.getByRole('dialog');
    const options = dialog.getByRole('option');
    return {
      page,
      complaints,
      options,
      /** Opens it, and runs the line that this text finds. */
      async run(text: string) {
        await page.keyboard.press('Control+k');
        await dialog.getByRole('combobox').fill(text);
        await options.filter({ hasText: text }).first().click();
        await dialog.waitFor({ state: 'detached' });
      },
      /** What it offers before anything is typed, once that begins with this. */
      offered: (first: string) =>
        eventually(`the palette begins with ${first}`, async () => {
          await page.keyboard.press('/');
          await options.first().waitFor();
          const all = await options.allInnerTexts();
          if (!all[0]?.startsWith(first)) {
            await page.keyboard.press('Escape');
            await dialog.waitFor({ state: 'detached' });
          }
          return all[0]?.startsWith(first) && all.map((one) => one.split('\n')[0]);
        }),
    };
  }

  await t.test('its button shows the keys that open it, as the reader’s computer names them', async () => {
    const context = await stage.enter(demo.partnerId);
    const shown = async () => {
      const { page } = await at(context, '/sandbox');
      const keys = page.getByRole('button', { name: 'Search' }).locator('kbd');
      await keys.waitFor();
      const text = await page.evaluate<string>(
        `getComputedStyle(document.querySelector('header kbd'), '::after').content`,
      );
      return { page, text };
    };
    assert.equal((await shown()).text, '"Ctrl K"');
    await context.addInitScript(`Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' })`);
    const { page, text } = await shown();
    assert.equal(text, '"⌘K"');
    await page.keyboard.press('Meta+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
  });

  await t.test('it offers what is done often, and does it', async () => {
    const { page, complaints, offered, run } = await at(await stage.enter(demo.partnerId), '/sandbox');
    assert.deepEqual(await offered('Buy an eSIM'), [
      'Buy an eSIM',
      'Create an API key',
      'Add a webhook',
      'Advance the test clock',
      'Switch to live',
      'Switch to dark mode',
    ]);
    complaints.push(...(await layoutProblems(page)));
    await page.keyboard.press('Escape');
    await run('Create an API key');
    await page.waitForURL(/\/keys$/);
    await run('Switch to dark');
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' });
    await page.goto(`${url}/sandbox/orders`);
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    await run('Switch to live');
    await page.waitForURL(/\/live\/orders$/);
    assert.deepEqual(complaints, []);
  });

  await t.test('the pages seen last come first, newest first, without the one that is open', async () => {
    const context = await stage.enter(demo.partnerId);
    const { page, offered } = await at(context, '/sandbox');
    // Pages that are only passed through are not remembered.
    const stay = () => page.evaluate('new Promise((over) => setTimeout(over, 1_000))');
    await stay();
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    await stay();
    await offered('Sandbox overview');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'eSIMs', exact: true }).click();
    await page.getByRole('heading', { name: 'eSIMs', level: 1 }).waitFor();
    const all = await offered('Orders · Sandbox');
    assert.deepEqual(all.slice(0, 3), ['Orders · Sandbox', 'Sandbox overview', 'Buy an eSIM']);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/sandbox\/orders$/);
  });

  await t.test('what a member may not do is not offered', async () => {
    const { offered } = await at(await stage.enter(demo.partnerId, 'read-only'), '/sandbox');
    assert.deepEqual(await offered('Switch to live'), ['Switch to live', 'Switch to dark mode']);
  });

  await t.test('the console has its own, by the role of the operator', async () => {
    const { page, complaints, offered, run } = await at(await stage.operate('admin'), '/operator');
    assert.deepEqual(await offered('Decide on refund requests'), [
      'Decide on refund requests',
      'Write an incident',
      'Create a partner',
      'Add a price rule',
      'Import a price list',
      'Add a supplier',
      'Invite an operator',
      'Switch to dark mode',
    ]);
    complaints.push(...(await layoutProblems(page)));
    await page.keyboard.press('Escape');
    await run('Import a price list');
    await page.getByRole('tab', { name: 'Imports', selected: true }).waitFor();
    await page.evaluate('new Promise((over) => setTimeout(over, 1_000))');
    await run('Write an incident');
    await offered('Catalog');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Write an incident' }).waitFor();
    const reader = await at(await stage.operate('read-only'), '/operator');
    assert.deepEqual(await reader.offered('Switch to dark mode'), ['Switch to dark mode']);
    assert.deepEqual(complaints, []);
  });
});
