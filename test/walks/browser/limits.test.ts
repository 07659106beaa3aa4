import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { watchedPage } from '../../support/browser/browser.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { run } from '../../support/program/operator.ts';
import { panelStage } from '../../support/program/panel-stage.ts';

/** Fills the row of a dialog for limits. */
async function fillRow(page: Page, number: number, most: string, unit: string, per: string): Promise<void> {
  const row = page.getByRole('dialog').getByRole('group', { name: `Limit ${number}`, exact: true });
  await row.getByLabel('period').selectOption(per);
  await row.getByLabel('US dollars or orders').selectOption(unit);
  await row.getByLabel('the most').fill(most);
}

test('limits on spending are set, shown and met in the panel and the console', { skip: noBrowser }, async (t) => {
  await using stage = await panelStage();
  const { url, demo } = stage;
  const { db, worlds } = stage.t.base;
  const { partnerId } = demo;
  const operate = (line: string) => run(stage.t.operator(), line);
  const changes = async (what: string) => (await db.query(sql`select from audit_log where what = ${what}`)).length;
  const bought = async () =>
    (await worlds.sandbox.db.query(sql`select from orders where partner_id = ${partnerId}`)).length;
  const { page, complaints } = await watchedPage(await stage.enter(partnerId));
  const dialog = page.getByRole('dialog');
  const problems: string[] = [];
  const look = async (at = page) => problems.push(...(await layoutProblems(at)));
  const keys = await operate(`key list --partner ${partnerId}`);
  const { key_id } = keys.find(({ mode }: { mode: string }) => mode === 'sandbox');
  const last4 = demo.sandboxKey.slice(-4);
  const row = page.getByRole('group', { name: new RegExp(`^Limits of .*${last4}`) });

  await t.test('an owner sets the limits of a key row by row; a wrong value is named at its field', async () => {
    await page.goto(`${url}/keys`);
    await row.getByText('No limits').waitFor();
    await row.getByRole('button', { name: 'Edit limits' }).click();
    await dialog.getByText('No limits').waitFor();
    await dialog.getByRole('button', { name: 'Add limit' }).click();
    await fillRow(page, 1, '12,50', 'usd', 'day');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter an amount, like 500.00').waitFor();
    await look();
    await fillRow(page, 1, '500', 'usd', 'day');
    await dialog.getByRole('button', { name: 'Add limit' }).click();
    await fillRow(page, 2, '2', 'orders', 'month');
    await dialog.getByRole('button', { name: 'Add limit' }).click();
    await fillRow(page, 3, '90.00', 'usd', 'order');
    assert.deepEqual(await dialog.getByLabel('Limit 3: US dollars or orders').locator('option').allTextContents(), [
      'USD',
    ]);
    await look();
    const before = await changes('key set');
    await dialog.getByRole('button', { name: 'Save' }).dblclick();
    const limits = row.getByRole('list', { name: /^Spending limits of/ });
    await limits.getByText('$500.00 per day').waitFor();
    await limits.getByText('0 orders used, 2 orders left').waitFor();
    await limits.getByText('$90.00 per order').waitFor();
    assert.equal(await changes('key set'), before + 1);
    const shown = await operate(`key show ${key_id}`);
    assert.deepEqual(shown.limits, [
      { per: 'day', amount: '500.00', count: null },
      { per: 'month', amount: null, count: 2 },
      { per: 'order', amount: '90.00', count: null },
    ]);
  });

  await t.test('at most ten limits can be added, and each can be removed again', async () => {
    await row.getByRole('button', { name: 'Edit limits' }).click();
    for (let left = 7; left > 0; left -= 1) await dialog.getByRole('button', { name: 'Add limit' }).click();
    assert.ok(await dialog.getByRole('button', { name: 'Add limit' }).isDisabled());
    await dialog.getByText('at most 10 limits').waitFor();
    for (let number = 10; number > 3; number -= 1)
      await dialog.getByRole('button', { name: `Remove limit ${number}`, exact: true }).click();
    await dialog.getByRole('button', { name: 'Remove limit 3' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('$90.00 per order').waitFor({ state: 'detached' });
    assert.equal((await operate(`key show ${key_id}`)).limits.length, 2);
  });

  await t.test('a limit that is used up says so', async () => {
    for (const reference of ['a', 'b'])
      await stage.t.post('/purchase/buy', { product_id: demo.productId, reference }, { key: demo.sandboxKey });
    await page.reload();
    await row.getByText('Used up').waitFor();
    await row.getByText('2 orders used, nothing left. Resets').waitFor();
    assert.equal(await row.getByRole('progressbar', { name: '2 orders per month: 100 percent used' }).count(), 1);
    await look();
  });

  await t.test('an operator sets what the partner may spend; the partner sees it and cannot change it', async () => {
    const { page: desk, complaints: atDesk } = await watchedPage(await stage.operate('admin'));
    await desk.goto(`${url}/operator/partners/${partnerId}`);
    const section = desk.getByRole('region', { name: 'Spending limits' });
    await section.getByText('None: the partner may spend all it has').waitFor();
    await section.getByRole('button', { name: 'Edit limits' }).click();
    await desk.getByRole('dialog').getByRole('button', { name: 'Add limit' }).click();
    await fillRow(desk, 1, '3', 'orders', 'day');
    await look(desk);
    const before = await changes('partner set');
    await desk.getByRole('dialog').getByRole('button', { name: 'Save limits' }).dblclick();
    await section.getByText('3 orders per day').waitFor();
    assert.equal(await changes('partner set'), before + 1);
    await look(desk);
    await desk.goto(`${url}/operator/partners/${partnerId}?tab=keys`);
    const keyRow = desk.getByRole('group', { name: new RegExp(`^Limits of .*${last4}`) });
    await keyRow.getByText('2 orders per month').waitFor();
    await keyRow.getByRole('button', { name: 'Edit limits' }).click();
    await desk.getByRole('dialog').getByRole('button', { name: 'Remove limit 2' }).click();
    await desk.getByRole('dialog').getByRole('button', { name: 'Save' }).dblclick();
    await keyRow.getByText('2 orders per month').waitFor({ state: 'detached' });
    assert.deepEqual((await operate(`key show ${key_id}`)).limits, [{ per: 'day', amount: '500.00', count: null }]);
    await look(desk);
    assert.deepEqual(atDesk, []);

    for (const address of ['/keys', '/sandbox/money']) {
      await page.goto(url + address);
      const own = page.getByRole('region', { name: 'Spending limits of your account' });
      await own.getByText('2 orders used, 1 order left').waitFor();
      assert.equal(await own.getByRole('button').count(), 0);
    }
    await look();
  });

  await t.test('if the price has risen, both prices are shown, and one click buys at the new one', async () => {
    await operate(`partner set ${partnerId} --margin-share 80`);
    await page.goto(`${url}/sandbox/catalog?search=${demo.productId}`);
    await page.getByRole('main').getByRole('button', { name: /^Buy/ }).first().click();
    const buy = dialog.getByRole('button', { name: /^Buy for \$/ });
    const old = /\$[\d.]+/.exec((await buy.textContent()) ?? '')?.[0] ?? '';
    await operate(`partner set ${partnerId} --margin-share 0`);
    const before = await bought();
    await buy.dblclick();
    const alert = dialog.getByRole('alert').filter({ hasText: 'The price has changed' });
    await alert.getByText(`You confirmed ${old}. It costs $`).waitFor();
    assert.equal(await bought(), before, 'neither click of the double click bought at a price nobody had read');
    await look();
    const now = /It costs (\$[\d.]+) now/.exec((await alert.textContent()) ?? '')?.[1] ?? '';
    assert.notEqual(now, old);
    assert.equal(await dialog.getByRole('button', { name: /^Buy/ }).count(), 1);
    await dialog.getByRole('button', { name: `Buy for ${now}` }).dblclick();
    await page.waitForURL(/\/sandbox\/orders\/\d+$/);
    assert.equal(await bought(), before + 1);
  });

  await t.test('a limit without room is named, with what was used and when it resets', async () => {
    await page.goto(`${url}/sandbox/catalog?search=${demo.productId}`);
    await page.getByRole('main').getByRole('button', { name: /^Buy/ }).first().click();
    await dialog.getByText(/may buy 3 orders per day: 3 orders used, 0 orders left\. The limit resets/).waitFor();
    assert.ok(await dialog.getByRole('button', { name: /^Buy for/ }).isDisabled());
    await look();

    // Reached while the dialog is open.
    await operate(`partner set ${partnerId} --limit day=4x`);
    await page.reload();
    await page.getByRole('main').getByRole('button', { name: /^Buy/ }).first().click();
    await dialog.getByText('Sandbox: test money').waitFor();
    await operate(`partner set ${partnerId} --limit day=1.00`);
    const before = await bought();
    await dialog.getByRole('button', { name: /^Buy for/ }).dblclick();
    await dialog.getByText(/may spend \$1\.00 per day: \$[\d.]+ used, \$0\.00 left\. The limit resets/).waitFor();
    assert.equal(await bought(), before);
    // A member who does not see the balance buys too, and is told the same.
    const { page: desk } = await watchedPage(await stage.enter(partnerId, 'support'));
    await desk.goto(`${url}/sandbox/catalog?search=${demo.productId}`);
    await desk.getByRole('main').getByRole('button', { name: /^Buy/ }).first().click();
    await desk.getByText(/may spend \$1\.00 per day/).waitFor();
  });

  assert.deepEqual(problems, []);
  // The browser itself reports each refused request.
  assert.deepEqual(
    complaints.filter((text) => !text.includes('status of 409')),
    [],
  );
});
