import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { PHONE } from '../../support/browser/browser.ts';
import { operators, overHeader, tooWide } from '../../support/browser/every-page/page-checks.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { panelStage } from '../../support/program/panel-stage.ts';

/** The widest a table becomes. */
const WIDEST = 1400;
/** Between a name and its value, on the longest line of facts. */
const NEAR = 220;

/** Where each name and value of the longest list of facts is. */
const FACTS = `[...[...document.querySelectorAll('main dl')].sort((a, b) => b.children.length - a.children.length)[0].children].map((fact) => {
  const [name, value] = [...fact.children].map((one) => one.getBoundingClientRect());
  return { gap: value.left - name.left, isBeside: Math.abs(value.top - name.top) < name.height };
})`;

interface Fact {
  readonly gap: number;
  readonly isBeside: boolean;
}

/** In how many columns each list of more than two facts is. */
const COLUMNS = `Object.fromEntries([...document.querySelectorAll('main section:has(dl)')].flatMap((section) => {
  const facts = [...section.querySelector('dl').children];
  return facts.length > 2
    ? [[section.querySelector('h2').textContent, new Set(facts.map((fact) => fact.getBoundingClientRect().left)).size]]
    : [];
}))`;

test('pages use the width they have', { skip: noBrowser }, async (t) => {
  await using stage = await panelStage({ config: { site: operators } });
  const { demo, url } = stage;
  const { body } = await stage.t.post('/purchase/buy', { product_id: demo.productId }, { key: demo.sandboxKey });
  const page = await (await stage.enter(demo.partnerId)).newPage();

  const operator = await (await stage.operate('admin')).newPage();

  const open = async (path: string, width: number, height = 900, tab = page): Promise<Page> => {
    await tab.setViewportSize({ width, height });
    await tab.goto(url + path);
    await tab.locator('main table, main dl').first().waitFor();
    return tab;
  };
  const tableAt = async (width: number): Promise<number> =>
    (await (await open('/sandbox/orders', width)).locator('main table').first().boundingBox())?.width ?? 0;
  const factsAt = async (width: number, height?: number): Promise<Fact[]> =>
    (await open(`/sandbox/orders/${body.order_id}`, width, height)).evaluate<Fact[]>(FACTS);

  await t.test('a table takes what the navigation leaves, up to 1,400 px', async () => {
    const [small, desktop, huge] = [await tableAt(1024), await tableAt(1440), await tableAt(2200)];
    assert.ok(small > 1024 - 232 - 100, String(small));
    assert.ok(desktop > 1440 - 232 - 100, String(desktop));
    assert.ok(huge > WIDEST - 100 && huge <= WIDEST, String(huge));
  });

  await t.test('the header has room for its parts on the narrowest phones', async () => {
    for (const width of [320, 360, PHONE.width]) {
      assert.deepEqual(await overHeader(await open('/sandbox/orders', width)), [], `${width} px`);
      assert.deepEqual(await tooWide(page, width), []);
    }
  });

  await t.test('beside the navigation of a small screen, no column is cut off', async () => {
    const deferred = { product_id: demo.productId, sandbox_scenario: 'deferred' };
    await stage.t.post('/purchase/buy', deferred, { key: demo.sandboxKey });
    for (const [tab, path, column] of [
      [page, '/sandbox/esims', 'Choose'],
      [page, '/sandbox/orders', 'Choose'],
      [operator, '/operator/orders?mode=sandbox', 'Margin'],
      [operator, '/operator/catalog', 'List price'],
      [operator, '/operator/suppliers', 'Price list'],
    ] as const) {
      const main = (await open(path, 1024, 900, tab)).getByRole('main');
      await main.getByRole('columnheader', { name: column }).waitFor();
      const table = await main.locator('table').first().boundingBox();
      const box = await main.locator('section').first().boundingBox();
      assert.ok(table && box && table.x + table.width <= box.x + box.width, JSON.stringify({ path, table, box }));
    }
  });

  await t.test('each fact has its value next to its name, on a desktop and a phone', async () => {
    for (const facts of [await factsAt(1440), await factsAt(PHONE.width, PHONE.height)]) {
      assert.ok(facts.length > 5, JSON.stringify(facts));
      for (const { gap, isBeside } of facts) assert.ok(isBeside && gap <= NEAR, `${gap}`);
    }
  });

  await t.test('facts are in two columns where both are wide enough, and in one on a phone', async () => {
    for (const [tab, path, title] of [
      [page, '/live/invoices', 'Billing details'],
      [page, '/live/money?tab=statement', 'Terms'],
      [operator, `/operator/partners/${demo.partnerId}`, 'Billing details'],
      [operator, '/operator/suppliers', 'Beacon Roaming'],
    ] as const)
      for (const [{ width, height }, columns] of [
        [{ width: 1440, height: 900 }, 2],
        [PHONE, 1],
      ] as const) {
        await tab.setViewportSize({ width, height });
        await tab.goto(url + path);
        await tab.getByRole('main').getByRole('region', { name: title }).locator('dl').waitFor();
        const found = await tab.evaluate<Record<string, number>>(COLUMNS);
        assert.equal(found[title], columns, `${path} at ${width} px: ${JSON.stringify(found)}`);
        if (columns === 1) assert.deepEqual([...new Set(Object.values(found))], [1], path);
      }
  });
});
