import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { PHONE, watchedPage } from '../../support/browser/browser.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { testFolder } from '../../support/database/folder.ts';
import { panelStage } from '../../support/program/panel-stage.ts';

test('an operator exports what is stored about an eSIM as a file, erases it and sees what was kept', {
  skip: noBrowser,
}, async () => {
  await using stage = await panelStage();
  await using files = await testFolder(0o700);
  const { t, url, demo } = stage;
  const bought = await t.post(
    '/purchase/buy',
    { product_id: demo.productId, idempotency_key: 'privacy', reference: 'booking-4711' },
    { key: demo.sandboxKey },
  );
  const id = Number(bought.body.order_id);
  const { iccid } = (await t.get(`/order/detail/${id}`, { key: demo.sandboxKey })).body.esim;
  const { page, complaints } = await watchedPage(await stage.operate('admin'));
  const problems: string[] = [];
  const look = async () => {
    for (const size of [{ width: 1440, height: 900 }, PHONE]) {
      await page.setViewportSize(size);
      problems.push(...(await layoutProblems(page)));
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  };
  await page.goto(`${url}/operator/privacy`);
  await page.getByLabel('ICCID').fill(iccid);
  await look();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as a file' }).click();
  const { path: folder } = files;
  const file = join(folder, 'export.json');
  await (await saving).saveAs(file);
  const { data } = JSON.parse(await readFile(file, 'utf8'));
  assert.equal(data['sandbox.orders'][0].reference, 'booking-4711');
  await page.getByRole('button', { name: 'Erase' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('erase');
  await dialog.getByRole('button', { name: 'Erase' }).click();
  await page.getByText('sandbox.orders').first().waitFor();
  await look();
  const after = (await t.get(`/order/detail/${id}`, { key: demo.sandboxKey })).body;
  assert.deepEqual([after.order.reference, after.esim.erased], ['', true]);
  assert.deepEqual([problems, complaints], [[], []]);
});
