import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { watchedPage } from '../../support/browser/browser.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { panelStage } from '../../support/program/panel-stage.ts';

test('filters and saved views', { skip: noBrowser }, async (t) => {
  await using stage = await panelStage();
  const { demo } = stage;
  const { body } = await stage.t.get('/catalog/products?country=JP&limit=1', { key: demo.sandboxKey });
  for (const reference of ['tour-1', 'tour-2'])
    await stage.t.post('/purchase/buy', { product_id: body.products[0].id, reference }, { key: demo.sandboxKey });

  const chip = (page: Page, name: string) => page.getByLabel(name, { exact: true });
  const removing = (page: Page, name: string) => page.getByRole('button', { name: `Remove this filter: ${name}` });

  await t.test(
    'a filter applies at once, lives in the address, and the way back returns to the one before',
    async () => {
      const { page, complaints } = await watchedPage(await stage.enter(demo.partnerId));
      await page.goto(`${stage.url}/sandbox/orders`);
      const rows = page.getByRole('table', { name: 'Orders' }).getByRole('row');
      await rows.nth(2).waitFor();
      await chip(page, 'Status').selectOption('failed');
      await page.waitForURL(/\?status=failed$/);
      await page.getByText('No orders match').waitFor();
      await page.goBack();
      await page.waitForURL(/\/orders$/);
      assert.equal(await chip(page, 'Status').inputValue(), '');
      // What is typed applies by itself, and is one step back however many pauses there were.
      await page.getByLabel('Reference or ICCID').fill('tour');
      await page.waitForURL(/reference=tour$/);
      await page.getByLabel('Reference or ICCID').fill('tour-1');
      await page.waitForURL(/reference=tour-1$/);
      await page.goBack();
      await page.waitForURL(/\/orders$/);
      assert.equal(await page.getByLabel('Reference or ICCID').inputValue(), '');
      // A year that is being typed is not applied.
      await chip(page, 'From (UTC)').fill('2020-01-31');
      await page.waitForURL(/from=2020-01-31/);
      complaints.push(...(await layoutProblems(page)));
      await removing(page, 'From (UTC)').press('Enter');
      await page.waitForURL(/\/orders$/);
      assert.equal(await page.evaluate('document.activeElement.type'), 'date');
      assert.deepEqual(complaints, []);
    },
  );

  await t.test(
    'a view is saved, picked, renamed and deleted, by keyboard, and is there in another window',
    async () => {
      const context = await stage.enter(demo.partnerId);
      const { page, complaints } = await watchedPage(context);
      await page.goto(`${stage.url}/sandbox/orders?status=delivered&before=999999`);
      await page.getByRole('button', { name: 'Views' }).press('Enter');
      await page.getByRole('menuitem', { name: 'Save these filters…' }).press('Enter');
      await page.getByLabel('Name').fill('Done');
      complaints.push(...(await layoutProblems(page)));
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'View: Done' }).waitFor();
      const other = await context.newPage();
      await other.goto(`${stage.url}/live/orders`);
      await other.getByRole('button', { name: 'Views' }).click();
      await other.getByRole('menuitem', { name: 'Done' }).click();
      await other.waitForURL(/\/live\/orders\?status=delivered$/);
      await other.close();
      await page.getByRole('button', { name: 'View: Done' }).click();
      await page.getByRole('menuitem', { name: 'Edit views…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name of Done').fill('Delivered');
      complaints.push(...(await layoutProblems(page)));
      await dialog.getByRole('button', { name: 'Rename' }).click();
      await dialog.getByLabel('Name of Delivered').waitFor();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Views', exact: true }).waitFor();
      assert.deepEqual(complaints, []);
    },
  );

  await t.test('operators have the same in the console', async () => {
    const { page, complaints } = await watchedPage(await stage.operate('read-only'));
    await page.goto(`${stage.url}/operator/partners`);
    await chip(page, 'Billing').selectOption('prepaid');
    await page.waitForURL(/billing=prepaid/);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save these filters…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Paid ahead');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('button', { name: 'View: Paid ahead' }).waitFor();
    complaints.push(...(await layoutProblems(page)));
    assert.deepEqual(complaints, []);
  });
});
