import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { PATIENCE_MS } from '../../support/eventually.ts';
import { panelStage } from '../../support/program/panel-stage.ts';

/** Notes how long each transition and animation that starts is to take. Endless ones say that something is loading. */
const NOTED = `{
  window.moved = [];
  for (const kind of ['transitionrun', 'animationstart'])
    addEventListener(kind, ({ target }) => {
      for (const { effect } of target.getAnimations({ subtree: true }))
        window.moved.push({ ms: effect.getTiming().duration, isEndless: effect.getTiming().iterations === Infinity,
          of: effect.target.className + (effect.pseudoElement ?? '') });
    }, true);
}`;

interface Moved {
  readonly ms: number;
  readonly isEndless: boolean;
  readonly of: string;
}

test('motion', { skip: noBrowser }, async (t) => {
  await using stage = await panelStage();
  const { demo, url } = stage;
  const { body } = await stage.t.post('/purchase/buy', { product_id: demo.productId }, { key: demo.sandboxKey });
  const member = await stage.enter(demo.partnerId);

  /** Whatever opens: each on its page, by its button, and what is there when it is open. */
  const openings: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
    'the details of a plan': async (page) => {
      await page.goto(`${url}/sandbox/catalog?destination=FR`);
      await page
        .getByRole('button', { name: /^Details of/ })
        .first()
        .click();
      await page.getByRole('button', { name: /^Details of/, expanded: true }).waitFor();
    },
    'a dialog': async (page) => {
      await page.goto(`${url}/sandbox/catalog?destination=FR`);
      await page
        .getByRole('button', { name: /^Buy: / })
        .first()
        .click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Buy for/ })
        .waitFor();
    },
    'a menu': async (page) => {
      await page.goto(`${url}/sandbox/orders`);
      await page.getByRole('button', { name: 'Download CSV' }).click();
      await page.getByRole('menuitem').first().waitFor();
    },
    'the palette, for the first time': async (page) => {
      await page.goto(`${url}/sandbox`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').waitFor();
    },
    'a drawer': async (page) => {
      await page.goto(`${url}/sandbox/requests`);
      await page.getByRole('link', { name: 'POST /purchase/buy' }).click();
      await page.getByRole('dialog').getByText(String(body.order_id)).first().waitFor();
    },
    'a confirmation': async (page) => {
      await page.goto(`${url}/sandbox/tools`);
      await page.getByLabel('Amount (USD)').fill('5');
      await page.getByRole('button', { name: 'Change balance' }).click();
      await page.getByText('Balance changed from').waitFor();
    },
  };

  async function moves(open: (page: Page) => Promise<unknown>, reducedMotion: 'reduce' | 'no-preference') {
    await using undo = new AsyncDisposableStack();
    const viewport = { width: 1440, height: 900 };
    const context = undo.adopt(await stage.browser.newContext({ viewport, reducedMotion }), (it) => it.close());
    context.setDefaultTimeout(PATIENCE_MS);
    await context.addCookies(await member.cookies());
    await context.addInitScript(NOTED);
    const page = await context.newPage();
    await open(page);
    return await page.evaluate<Moved[]>('window.moved');
  }

  for (const [what, open] of Object.entries(openings)) {
    await t.test(`${what} opens in 150 ms`, async () => {
      const ended = (await moves(open, 'no-preference')).filter(({ isEndless }) => !isEndless);
      assert.equal(Math.max(...ended.map(({ ms }) => ms)), 150, JSON.stringify(ended));
    });
    await t.test(`${what} opens at once for somebody who asked for less motion, and nothing else moves`, async () => {
      assert.deepEqual(await moves(open, 'reduce'), []);
    });
  }
});
