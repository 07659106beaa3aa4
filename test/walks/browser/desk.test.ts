import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { watchedPage } from '../../support/browser/browser.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { run } from '../../support/program/operator.ts';
import { panelStage } from '../../support/program/panel-stage.ts';

test('an operator reads what changed, dismisses it, decides refunds together and leaves a note, each once however often it is clicked', {
  skip: noBrowser,
}, async () => {
  await using stage = await panelStage();
  const { t, url, demo } = stage;
  const { db } = t.base;
  const key = demo.sandboxKey;
  const operate = (words: string | readonly string[]) => run(t.operator(), words);
  const asked = async (number: number) => {
    const bought = await t.post(
      '/purchase/buy',
      { product_id: demo.productId, idempotency_key: `desk-${number}`, sandbox_usage: 'active' },
      { key },
    );
    const { order_id } = bought.body;
    await t.post('/order/refund', { order_id, reason: 'It was never used' }, { key });
    return String(order_id);
  };
  const unused = async (number: number) => {
    const more = { product_id: demo.productId, idempotency_key: `unused-${number}` };
    const { order_id } = (await t.post('/purchase/buy', more, { key })).body;
    const { iccid } = (await t.get(`/order/detail/${order_id}`, { key })).body.esim;
    await t.post('/esim/replace', { iccid, idempotency_key: `replace-${number}` }, { key });
    return String(order_id);
  };
  const ids = [await asked(1), await asked(2), await asked(3), await asked(4)];
  const { page, complaints } = await watchedPage(await stage.operate('admin'));
  const dialog = page.getByRole('dialog');
  const problems: string[] = [];
  const look = async () => problems.push(...(await layoutProblems(page)));
  const count = async (what: string) => (await db.query(sql`select from audit_log where what = ${what}`)).length;

  await page.goto(`${url}/operator/refunds?mode=sandbox`);
  await page.getByRole('checkbox', { name: `Choose order ${ids[0]}` }).check();
  await page.getByRole('checkbox', { name: `Choose order ${ids[1]}` }).check();
  await look();
  await page.getByRole('button', { name: 'Approve 2 requests' }).click();
  await dialog.getByText(/2 refunds in total/).waitFor();
  await look();
  await dialog.getByRole('button', { name: 'Approve 2 requests' }).dblclick();
  await page.getByText(/^2 refunds approved: \$/).waitFor();
  assert.equal(await count('refund approve'), 2);

  // A colleague is quicker with one of the others.
  await page.getByRole('button', { name: 'Choose all 2 here' }).click();
  await operate(['refund', 'reject', ids[2] ?? '', '--mode', 'sandbox', '--note', 'used']);
  await page.getByRole('button', { name: 'Reject 2 requests' }).click();
  await dialog.getByLabel('Reason').fill('The eSIMs were used');
  await dialog.getByRole('button', { name: 'Reject 2 requests' }).dblclick();
  await page.getByText('1 request rejected. 1 could not be changed:').waitFor();
  await page.getByText(/rejected it at/).waitFor();
  await look();
  assert.equal(await count('refund reject'), 2);

  const replaced = [await unused(1), await unused(2), await unused(3)];
  await page.goto(`${url}/operator/replacements?mode=sandbox`);
  await page.getByRole('button', { name: 'Choose all 3 here' }).click();
  await page.getByRole('checkbox', { name: `Choose order ${replaced[0]}` }).uncheck();
  await look();
  await operate(['replacement', 'reject', replaced[1] ?? '', '--mode', 'sandbox']);
  await page.getByRole('button', { name: 'Reject 2 requests' }).click();
  await dialog.getByRole('button', { name: 'Reject 2 requests' }).dblclick();
  await page.getByText('1 request rejected. 1 could not be changed:').waitFor();
  await look();
  assert.equal(await count('replacement reject'), 2);
  await page.getByRole('checkbox', { name: `Choose order ${replaced[0]}` }).check();
  await page.getByRole('button', { name: 'Replace 1 eSIM' }).click();
  await dialog.getByText(/the partners nothing/).waitFor();
  await dialog.getByRole('button', { name: 'Replace 1 eSIM' }).dblclick();
  await page.getByText('1 new eSIM ordered.').waitFor();
  assert.equal(await count('replacement approve'), 1);

  await page.goto(`${url}/operator/orders/${ids[3]}?mode=sandbox`);
  await page.getByLabel('New note').fill('Called twice.');
  await page.getByRole('button', { name: 'Add note' }).dblclick();
  const note = page.getByRole('article').getByText('Called twice.');
  await note.waitFor();
  await page.getByRole('button', { name: 'Add note', disabled: true }).waitFor();
  assert.equal(await page.getByLabel('New note').inputValue(), '');
  await look();
  await page.getByRole('button', { name: 'Delete note' }).click();
  await dialog.getByRole('button', { name: 'Delete note' }).dblclick();
  await note.waitFor({ state: 'detached' });
  assert.deepEqual([await count('note add'), await count('note delete')], [1, 1]);

  await page.goto(`${url}/operator/audit`);
  await page.getByText('rejected the refund of').first().waitFor();
  await look();

  await operate(['partner', 'set', String(demo.partnerId), '--balance-alert', '75']);
  await db.run(sql`update staff set left_at = now() - interval '1 hour'`);
  await page.goto(`${url}/operator`);
  await page
    .getByRole('region', { name: 'Since you were last here' })
    .getByText(/set the balance alert of/)
    .waitFor();
  await look();
  await page.getByRole('button', { name: /^Dismiss: The ledger was never proved/ }).dblclick();
  await page.getByText('You dismissed 1').waitFor();
  await page.getByRole('region', { name: 'Needs you now' }).getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('button', { name: /^Show again: The ledger/ }).waitFor();
  await look();
  assert.deepEqual(problems, []);
  assert.deepEqual(complaints, []);
});
