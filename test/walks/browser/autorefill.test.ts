import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { watchedPage } from '../../support/browser/browser.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { panelStage } from '../../support/program/panel-stage.ts';

test('automatic refills, set and ended on the page of an eSIM', { skip: noBrowser }, async (t) => {
  await using stage = await panelStage();
  const { url, demo } = stage;
  const { partnerId, sandboxKey, productId } = demo;
  const { sandbox } = stage.t.base.worlds;
  const buy = async (more: Record<string, string> = {}) => {
    const { body } = await stage.t.post('/purchase/buy', { product_id: productId, ...more }, { key: sandboxKey });
    const { esim } = (await stage.t.get(`/order/detail/${body.order_id}`, { key: sandboxKey })).body;
    return { id: String(body.order_id), iccid: String(esim.iccid) };
  };
  const { page, complaints } = await watchedPage(await stage.enter(partnerId));
  const rules = page.getByRole('main').getByRole('region', { name: 'Automatic refills' });
  const dialog = page.getByRole('dialog');
  const esim = await buy({ sandbox_usage: 'depleted' });
  const look = async () => {
    await page.evaluate('scrollTo({ top: 0, behavior: "instant" })');
    complaints.push(...(await layoutProblems(page)));
  };

  await t.test('a refill that costs too much stops it, which the page explains', async () => {
    await page.goto(`${url}/sandbox/esims/${esim.iccid}`);
    await rules.getByText('This eSIM does not refill itself.').waitFor();
    await rules.getByRole('button', { name: 'Set up' }).click();
    await dialog.getByLabel('Up to, USD each').fill('0.01');
    await look();
    await dialog.getByRole('button', { name: 'Start' }).click();
    await rules.getByText('Stopped').waitFor();
    await rules.getByText('costs more than the highest price').waitFor();
    await page.getByRole('region', { name: 'Timeline' }).getByText('Automatic refills stopped').waitFor();
    await look();
  });

  await t.test('a value out of range is said in the dialog, and nothing changes', async () => {
    await rules.getByRole('button', { name: 'Change' }).click();
    await dialog.getByLabel('At % used').fill('40');
    await dialog.getByRole('button', { name: 'Replace the rule' }).click();
    await dialog.getByText('from 50 to 100').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await rules.getByText('0 of 5 done').waitFor();
    // The browser reports the refusal, too.
    assert.deepEqual(
      complaints.splice(0).filter((one) => !one.includes('400 (Bad Request)')),
      [],
    );
  });

  await t.test('an agreed price buys the first refill at once, however often the button is clicked', async () => {
    await rules.getByRole('button', { name: 'Change' }).click();
    await dialog.getByLabel('Up to, USD each').fill('99');
    await dialog.getByLabel('At % used').fill('90');
    await dialog.getByRole('button', { name: 'Replace the rule' }).dblclick();
    await rules.getByText('1 of 5 done').waitFor();
    await rules.getByText('for up to $99.00 when 90 % of the data is used').waitFor();
    const bought = await sandbox.db.query(sql`select from orders where refill_of = ${esim.id}`);
    assert.equal(bought.length, 1);
    await look();
  });

  await t.test('ended, it is gone from the page', async () => {
    await rules.getByRole('button', { name: 'End' }).click();
    await dialog.getByText('No further refill is bought by itself').waitFor();
    await dialog.getByRole('button', { name: 'End' }).click();
    await rules.getByText('This eSIM does not refill itself.').waitFor();
  });

  await t.test('members who may not buy see the rule without buttons', async () => {
    const { products } = (await stage.t.get(`/esim/refills/${esim.iccid}`, { key: sandboxKey })).body;
    const rule = { iccid: esim.iccid, product_id: products[0].id, at_percent: '100', times: '2', max_price: '50' };
    assert.equal((await stage.t.post('/esim/autorefill', rule, { key: sandboxKey })).status, 200);
    const { page: theirs } = await watchedPage(await stage.enter(partnerId, 'read-only', 'reader@example.com'));
    await theirs.goto(`${url}/sandbox/esims/${esim.iccid}`);
    const section = theirs.getByRole('region', { name: 'Automatic refills' });
    await section.getByText('0 of 2 done').waitFor();
    assert.equal(await section.getByRole('button').count(), 0);
    await theirs.close();
  });

  await t.test('the refill says that it was bought automatically', async () => {
    const { id } = await sandbox.db.one<{ id: bigint }>(sql`select id from orders where refill_of = ${esim.id}`);
    await page.goto(`${url}/sandbox/orders/${id}`);
    await page.getByText('Bought automatically when the data ran low').waitFor();
    await look();
  });

  assert.deepEqual(complaints, []);
});
