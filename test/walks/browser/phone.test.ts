import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { watchedPage } from '../../support/browser/browser.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { run } from '../../support/program/operator.ts';
import { panelStage } from '../../support/program/panel-stage.ts';

test('the eSIM on the phone, as somebody who helps a traveller looks at it', { skip: noBrowser }, async (t) => {
  await using stage = await panelStage();
  const { url, demo } = stage;
  const { partnerId, sandboxKey, liveKey, productId } = demo;
  const { worlds } = stage.t.base;
  await run(stage.t.operator(), `partner set ${partnerId} --replacements 500.00`);
  const buy = async (key: string, more: Record<string, string> = {}) => {
    const { body } = await stage.t.post('/purchase/buy', { product_id: productId, ...more }, { key });
    const { esim } = (await stage.t.get(`/order/detail/${body.order_id}`, { key })).body;
    return { id: String(body.order_id), iccid: String(esim.iccid) };
  };
  const { page, complaints } = await watchedPage(await stage.enter(partnerId));
  const main = page.getByRole('main');
  const phone = main.getByRole('region', { name: 'Phone', exact: true });
  const timeline = main.getByRole('region', { name: 'Timeline' });
  const dialog = page.getByRole('dialog');
  const esim = await buy(sandboxKey);
  const look = async () => {
    // From the top: clicks have scrolled the page, and its header may cover half of a button.
    await page.evaluate('scrollTo({ top: 0, behavior: "instant" })');
    complaints.push(...(await layoutProblems(page)));
  };

  await t.test('where the supplier does not tell, the page says that nothing is known', async () => {
    const live = await buy(liveKey);
    // As of a supplier that tells nothing; the demo's does.
    await page.route('**/esim/detail/*', async (route) => {
      const answer = await route.fetch();
      const { esim, ...rest } = await answer.json();
      const profile = { state: 'unknown', device: null, country: null, covered: null, seen_at: null };
      await route.fulfill({ response: answer, json: { ...rest, esim: { ...esim, profile } } });
    });
    await page.goto(`${url}/live/orders/${live.id}`);
    await phone.getByText('Nothing is known about the phone.').waitFor();
    assert.equal(await main.getByRole('region', { name: 'Play the phone' }).count(), 0);
    await look();
    await page.unroute('**/esim/detail/*');
  });

  await t.test('the phone is played in the sandbox, and a country outside the plan stands out', async () => {
    await page.goto(`${url}/sandbox/esims/${esim.iccid}`);
    await phone.getByText('Not downloaded yet').waitFor();
    const play = main.getByRole('region', { name: 'Play the phone' });
    await play.getByLabel('On the phone').selectOption('enabled');
    await play.getByLabel('Country').selectOption('JP');
    await play.getByLabel('Brand').fill('Apple');
    await play.getByLabel('Model').fill('iPhone 17');
    await play.getByRole('button', { name: 'Report this' }).click();
    await phone.getByText('Installed and switched on').waitFor();
    await phone.getByText('Apple iPhone 17').waitFor();
    await phone.getByText('last seen in Japan, which the plan does not cover').waitFor();
    await timeline.getByText('Installed on a phone').waitFor();
    await timeline.getByText('Seen in Japan').waitFor();
    await look();
  });

  await t.test('suspending says what happens first, shows in the list, and is undone by resuming', async () => {
    await phone.getByRole('button', { name: 'Suspend' }).click();
    await dialog.getByText('Its data and days run on').waitFor();
    await look();
    await dialog.getByRole('button', { name: 'Suspend' }).dblclick();
    await phone.getByText('The eSIM has no service until it is resumed.').waitFor();
    await phone.getByRole('button', { name: 'Resume' }).waitFor();
    await timeline.getByText('Suspended', { exact: true }).waitFor();
    await page.goto(`${url}/sandbox/esims?state=suspended`);
    await main.getByRole('link', { name: esim.iccid }).waitFor();
    await main.getByText('Suspended').first().waitFor();
    await page.goto(`${url}/sandbox/orders/${esim.id}`);
    await phone.getByRole('button', { name: 'Resume' }).click();
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await phone.getByRole('button', { name: 'Suspend' }).waitFor();
    await timeline.getByText('Resumed', { exact: true }).waitFor();
    const events = await worlds.sandbox.db.query(sql`
      select from esim_events where iccid = ${esim.iccid} and event in ('esim.suspended', 'esim.resumed')`);
    assert.equal(events.length, 2, 'a double click suspends once');
  });

  await t.test('a replacement is free, and both pages lead to each other', async () => {
    await page.goto(`${url}/sandbox/esims/${esim.iccid}`);
    await phone.getByRole('button', { name: 'Replace' }).click();
    await dialog.getByText('free of charge').waitFor();
    await dialog.getByLabel('Reason').fill('It cannot be installed');
    await look();
    await dialog.getByRole('button', { name: 'Replace' }).dblclick();
    await phone.getByText('The traveller has a new eSIM').waitFor();
    await timeline.getByText('Replacement requested').waitFor();
    await timeline.getByText('It cannot be installed').waitFor();
    assert.equal(await phone.getByRole('button', { name: 'Replace' }).count(), 0);
    await look();
    await phone.getByRole('link', { name: /^order / }).click();
    await timeline.getByText('Placed free of charge, to replace the eSIM of').waitFor();
    await timeline.getByRole('link', { name: `order ${esim.id}` }).waitFor();
    const made = await worlds.sandbox.db.query(sql`select from esim_replacements where partner_id = ${partnerId}`);
    assert.equal(made.length, 1, 'a double click replaces once');
  });

  await t.test('an eSIM in use has no button to replace it until it was deleted from the phone', async () => {
    const used = await buy(sandboxKey, { sandbox_usage: 'active' });
    await page.goto(`${url}/sandbox/esims/${used.iccid}`);
    await phone.getByRole('button', { name: 'Suspend' }).waitFor();
    // Its profile was never reported, and yet nobody has to install it.
    await phone.getByText('Data was used, so the eSIM has been on a phone.').waitFor();
    assert.equal(await phone.getByRole('button', { name: 'Replace' }).count(), 0);
    const deleted = { iccid: used.iccid, state: 'deleted' };
    assert.equal((await stage.t.post('/sandbox/profile', deleted, { key: sandboxKey })).status, 200);
    await page.reload();
    await phone.getByText('Deleted from the phone').first().waitFor();
    await phone.getByRole('button', { name: 'Replace' }).waitFor();
  });

  await t.test('support has the buttons, and those who may only read see the phone without them', async () => {
    const unused = await buy(sandboxKey);
    for (const [role, shown] of [
      ['support', ['Suspend', 'Replace']],
      ['read-only', []],
    ] as const) {
      const { page: theirs } = await watchedPage(await stage.enter(partnerId, role, `${role}@example.com`));
      await theirs.goto(`${url}/sandbox/esims/${unused.iccid}`);
      const section = theirs.getByRole('region', { name: 'Phone', exact: true });
      await section.getByText('Not downloaded yet').waitFor();
      assert.deepEqual(await section.getByRole('button').allTextContents(), shown);
      await theirs.close();
    }
  });

  assert.deepEqual(complaints, []);
});
