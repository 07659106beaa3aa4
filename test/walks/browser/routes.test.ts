import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { watchedPage } from '../../support/browser/browser.ts';
import { richRoutes } from '../../support/browser/every-page/rich-routes.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { run } from '../../support/program/operator.ts';
import { panelStage } from '../../support/program/panel-stage.ts';
import { csvOf, newItems, PLAN } from '../../support/suppliers/stock-shop.ts';

test('routes are changed after their preview, price lists and stock imported after their check, each once however often it is clicked', {
  skip: noBrowser,
}, async () => {
  await using stage = await panelStage();
  const { routedPlan } = await richRoutes(stage);
  const operate = (words: string) => run(stage.t.operator(), words);
  const { page, complaints } = await watchedPage(await stage.operate('admin'));
  const dialog = page.getByRole('dialog');

  await page.goto(`${stage.url}/operator/catalog/${routedPlan}`);
  await page.getByRole('button', { name: 'Change the route of' }).click();
  await dialog
    .getByRole('button', { name: /^Leave .* out$/ })
    .last()
    .click();
  await dialog.getByLabel('An alternate may cost').selectOption('paid');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('none would have gone elsewhere').waitFor();
  await dialog.getByLabel('Asked first').selectOption('cheapest');
  assert.equal(await dialog.getByRole('button', { name: 'Save route' }).count(), 0, 'other input needs a preview');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByRole('button', { name: 'Save route' }).dblclick();
  await dialog.waitFor({ state: 'detached' });
  const shown = await operate(`route show ${routedPlan}`);
  assert.deepEqual([shown.prefer, shown.min_margin, shown.alternates.length], ['cheapest', null, 1]);

  await page.goto(`${stage.url}/operator/catalog?tab=imports`);
  await page.getByRole('button', { name: 'Upload a file' }).click();
  const terms = { destination: 'JP', title: 'Japan 1 GB', amount: 1024, day: 7, network_type: '4G', price: 4, cost: 2 };
  const list = { supplier: { slug: 'quay', title: 'Quay', kind: 'simulated' }, plans: [{ ...terms, code: 'quay-1' }] };
  const buffer = Buffer.from(JSON.stringify(list));
  await page.locator('input[type=file]').setInputFiles({ name: 'list.json', mimeType: 'application/json', buffer });
  // The second click comes as soon as the answer is there.
  const check = await dialog.getByRole('button', { name: 'Check the file' }).boundingBox();
  await dialog.getByRole('button', { name: 'Check the file' }).click();
  await dialog.getByText('An import would change: 1 plan added').waitFor();
  await dialog.getByRole('button', { name: 'Import', exact: true }).waitFor();
  const moved = await dialog.getByRole('button', { name: 'Import', exact: true }).boundingBox();
  assert.ok(check && moved && moved.x >= check.x + check.width, 'Import is beside the button that checked');
  await page.mouse.click(check.x + check.width / 2, moved.y + moved.height / 2);
  await dialog.getByText('An import would change: 1 plan added').waitFor();
  assert.equal(
    (await operate('catalog imports --supplier quay')).length,
    0,
    'a double click on the check imports nothing',
  );
  await dialog.getByRole('button', { name: 'Import', exact: true }).dblclick();
  await page.getByRole('status').getByText('The list was imported: 1 plan added').waitFor();
  assert.equal((await operate('catalog imports --supplier quay')).length, 1);

  const before = await stage.t.base.db.one<{ id: bigint }>(
    sql`select coalesce(max(id), 0)::bigint as id from audit_log`,
  );
  const done = () =>
    stage.t.base.db.query<{ action: string; count: number }>(sql`
      select what as action, count(*)::int as count from audit_log where id > ${before.id} group by what order by what`);
  await page.goto(`${stage.url}/operator/routes`);
  await page.getByRole('button', { name: 'Change automatic routes of all suppliers' }).click();
  await dialog.getByLabel('Take the suggestions').check();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).dblclick();
  await dialog.waitFor({ state: 'detached' });
  await page
    .getByRole('button', { name: /^Clear the route of/ })
    .first()
    .click();
  await dialog.getByRole('button', { name: 'Clear route' }).dblclick();
  await dialog.waitFor({ state: 'detached' });

  const items = newItems(2);
  await page.goto(`${stage.url}/operator/suppliers`);
  await page.getByRole('button', { name: 'Import eSIMs' }).click();
  await dialog.getByLabel('Plan').fill(PLAN);
  const csv = { name: 'items.csv', mimeType: 'text/csv', buffer: Buffer.from(csvOf(items)) };
  await page.locator('input[type=file]').setInputFiles(csv);
  await dialog.getByRole('button', { name: 'Import', exact: true }).dblclick();
  await page.getByText('Imported: 2 eSIMs').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  for (const step of ['Discard', 'Release']) {
    await page.getByRole('button', { name: 'Release or discard one' }).click();
    await dialog.getByLabel('ICCID').fill(items[0]?.iccid ?? '');
    await dialog.getByRole('button', { name: step, exact: true }).dblclick();
    await dialog.waitFor({ state: 'detached' });
  }
  const actions = ['route auto', 'route clear', 'stock discard', 'stock import', 'stock release'];
  assert.deepEqual(
    await done(),
    actions.map((action) => ({ action, count: 1 })),
  );
  assert.deepEqual(complaints, []);
});
