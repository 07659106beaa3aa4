import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { newWindow, watchedPage } from '../../support/browser/browser.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { noBrowser, PASSWORD } from '../../support/browser/panel-browser.ts';
import { eventually } from '../../support/eventually.ts';
import { panelStage } from '../../support/program/panel-stage.ts';

test('buying in the panel', { skip: noBrowser }, async (t) => {
  await using stage = await panelStage();
  const { demo, url } = stage;
  const { db, worlds } = stage.t.base;
  const context = await newWindow(stage.browser);
  const { page } = await watchedPage(context);
  const dialog = page.getByRole('dialog');
  const button = (name: string | RegExp) => dialog.getByRole('button', { name, exact: typeof name === 'string' });
  const orders = () =>
    worlds.sandbox.db.query<{ id: bigint; reference: string }>(sql`select id, reference from orders order by id`);
  const charges = async () =>
    (await worlds.sandbox.db.query(sql`select from movements where type = 'purchase'`)).length;
  const endSession = () => db.run(sql`delete from sessions`);
  const qr = page.getByRole('img', { name: 'QR code that installs this eSIM' });

  await page.goto(demo.link ?? '');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await page.getByRole('heading', { name: 'Sandbox overview' }).waitFor();

  async function signInAgain(): Promise<void> {
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Email').fill('demo@example.com');
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
  async function openDialog(): Promise<void> {
    await page.goto(`${url}/sandbox/catalog?destination=FR`);
    await page
      .getByRole('button', { name: /^Buy: / })
      .first()
      .click();
    await button(/^Buy for \$/).waitFor();
  }

  await t.test('the first purchase shows its QR code and the traveller’s page where it was made', async () => {
    await page.getByRole('button', { name: /^Buy a test eSIM: / }).click();
    await button(/^Buy for \$/).click();
    await qr.waitFor();
    const [bought] = await orders();
    await page
      .getByRole('link', { name: `Order ${bought?.id}`, exact: true })
      .first()
      .waitFor();
    assert.deepEqual(await layoutProblems(page), []);
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Open the traveller’s page' }).click();
    const traveller = await opened;
    await traveller.getByRole('heading', { level: 1 }).waitFor();
    assert.match(new URL(traveller.url()).pathname, /^\/(t|esim|e)\//);
    await traveller.close();
  });

  await t.test(
    'a plan is one line of 44 px, and the rest of what is known of it is shown when it is opened',
    async () => {
      await page.goto(`${url}/sandbox/catalog?destination=FR`);
      const plans = page.getByRole('table', { name: 'Plans' });
      await plans
        .getByRole('button', { name: /^Buy: / })
        .first()
        .waitFor();
      const heights = await page.evaluate<number[]>(
        `[...document.querySelectorAll('table tbody tr')].map((row) => row.getBoundingClientRect().height)`,
      );
      assert.ok(heights.length > 3 && heights.every((height) => height >= 44 && height <= 45), heights.join(' '));
      const known = plans.getByText('Plan id');
      assert.equal(await known.count(), 0);
      await plans
        .getByRole('button', { name: /^Details of / })
        .first()
        .click();
      await known.waitFor();
    },
  );

  await t.test('where the money is short, the dialog leads to where there is more', async () => {
    await page.goto(`${url}/sandbox/catalog?destination=FR`);
    await page
      .getByRole('button', { name: /^Buy: / })
      .last()
      .click();
    await dialog.getByLabel('Quantity').fill('100');
    await dialog.getByText('more than you can spend now').waitFor();
    assert.ok(await button(/^Buy 100/).isDisabled());
    assert.deepEqual(await layoutProblems(page), []);
    await dialog.getByRole('link', { name: 'Change the test balance' }).click();
    await page.waitForURL(/\/sandbox\/tools$/);
  });

  await t.test('several are bought as a batch, which leads to its orders', async () => {
    const before = (await orders()).length;
    await openDialog();
    await dialog.getByLabel('Quantity').fill('0');
    await dialog.getByText('1 to 100').waitFor();
    assert.ok(await button('Buy').isDisabled());
    await dialog.getByLabel('Quantity').fill('4');
    await dialog.getByText('A batch: charged as a whole or not at all').waitFor();
    assert.deepEqual(await layoutProblems(page), []);
    await button(/^Buy 4 for \$/).click();
    await page.waitForURL(/\/sandbox\/orders\?batch=\d+$/);
    const made = await orders();
    assert.equal(made.length, before + 4);
    const ids = made.map(({ id }) => String(id)).slice(-4);
    for (const id of ids) await page.getByRole('link', { name: id, exact: true }).waitFor();
    const batch = new URL(page.url()).searchParams.get('batch');
    // In lists it is one line, on the overview, too.
    for (const path of ['/sandbox/orders', '/sandbox']) {
      await page.goto(url + path);
      const line = page
        .getByRole('row')
        .filter({ has: page.getByRole('link', { name: `Batch ${batch}`, exact: true }) });
      await line.getByText('4 eSIMs').waitFor();
      for (const id of ids) assert.equal(await page.getByRole('link', { name: id, exact: true }).count(), 0);
    }
    await page.getByRole('link', { name: `Batch ${batch}`, exact: true }).click();
    await page.getByRole('button', { name: 'Request refund of all 4 orders' }).click();
    await dialog.getByLabel('Reason').fill('The group stays at home');
    assert.deepEqual(await layoutProblems(page), []);
    await button('Request refund of all 4 orders').dblclick();
    await page.getByText('4 orders refunded: $').waitFor();
    await dialog.waitFor({ state: 'detached' });
    const back = await worlds.sandbox.db.query(sql`select from refunds where order_id = any(${ids}::bigint[])`);
    assert.equal(back.length, 4);
    const operator = await (await stage.operate('support')).newPage();
    await operator.goto(`${url}/operator/orders?mode=sandbox`);
    await operator.getByRole('link', { name: `Batch ${batch}`, exact: true }).click();
    for (const id of ids) await operator.getByRole('link', { name: id, exact: true }).waitFor();
    await operator.context().close();
  });

  await t.test(
    'a session that ends in the open dialog: nothing was bought, and it goes on as it was typed',
    async () => {
      await openDialog();
      await dialog.getByLabel('Quantity').fill('3');
      await dialog.getByLabel('Your reference').fill('trip-7');
      const [had, paid] = [(await orders()).length, await charges()];
      await endSession();
      await button(/^Buy 3 for \$/).click();
      await signInAgain();
      await dialog.getByText('Nothing was bought and nothing was charged.').waitFor();
      assert.match(page.url(), /\/sandbox\/catalog\?destination=FR$/);
      assert.equal(await dialog.getByLabel('Quantity').inputValue(), '3');
      assert.equal(await dialog.getByLabel('Your reference').inputValue(), 'trip-7');
      assert.deepEqual([(await orders()).length, await charges()], [had, paid]);
      assert.deepEqual(await layoutProblems(page), []);
      await button(/^Buy 3 for \$/).click();
      await page.waitForURL(/\/sandbox\/orders\?batch=\d+$/);
      const made = await orders();
      assert.deepEqual([made.length, made.filter(({ reference }) => reference === 'trip-7').length], [had + 3, 3]);
      await requireForgotten(page);
    },
  );

  await t.test('one that ends before it is sent returns to the same dialog, too', async () => {
    await openDialog();
    await dialog.getByLabel('Your reference').fill('trip-8');
    await endSession();
    // The price is read again when the window is looked at again.
    await page.evaluate(`dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await signInAgain();
    await dialog.getByText('Nothing was bought and nothing was charged.').waitFor();
    assert.equal(await dialog.getByLabel('Your reference').inputValue(), 'trip-8');
    await button('Cancel').click();
    await dialog.waitFor({ state: 'detached' });
    await requireForgotten(page);
  });

  await t.test('if the answer was lost with the session, the page says that it was bought, once', async () => {
    await openDialog();
    const [had, paid] = [(await orders()).length, await charges()];
    await loseAnswer(page, endSession);
    await button(/^Buy for \$/).click();
    await signInAgain();
    await dialog.getByText('your purchase went through. It was charged once').waitFor();
    await dialog.locator(qr).waitFor();
    assert.deepEqual(await layoutProblems(page), []);
    assert.deepEqual([(await orders()).length, await charges()], [had + 1, paid + 1]);
    await requireForgotten(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // Another purchase is another one.
    await openDialog();
    await button(/^Buy for \$/).click();
    await page.getByRole('heading', { name: /^Order \d+/ }).waitFor();
    assert.deepEqual([(await orders()).length, await charges()], [had + 2, paid + 2]);
  });

  await t.test('so it does after a reload, for a batch', async () => {
    await openDialog();
    await dialog.getByLabel('Quantity').fill('2');
    const had = (await orders()).length;
    await loseAnswer(page, async () => 0);
    await button(/^Buy 2 for \$/).click();
    await eventually('it is bought', async () => (await orders()).length === had + 2);
    await dialog.getByText('We can’t reach the server').waitFor();
    await page.reload();
    await dialog.getByText('for each of 2 eSIMs').waitFor();
    await dialog.getByRole('link', { name: 'See the orders' }).click();
    await page.waitForURL(/\/sandbox\/orders\?batch=\d+$/);
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await orders()).length, had + 2);
    await requireForgotten(page);
  });

  await t.test('nobody else who signs in in the tab is told of it', async () => {
    await openDialog();
    await loseAnswer(page, endSession);
    await button(/^Buy for \$/).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const other = await stage.enter(demo.partnerId);
    await context.addCookies(await other.cookies());
    await page.goto(`${url}/sandbox/catalog?destination=FR`);
    await page
      .getByRole('button', { name: /^Buy: / })
      .first()
      .waitFor();
    assert.equal(await dialog.count(), 0);
  });
});

/** The server takes the next purchase, and its answer never arrives. */
async function loseAnswer(page: Page, then: () => Promise<unknown>): Promise<void> {
  await page.route(
    '**/api/sandbox/purchases',
    async (route) => {
      await route.fetch();
      await then();
      await route.abort();
    },
    { times: 1 },
  );
}

const requireForgotten = async (page: Page) =>
  assert.equal(await page.evaluate(`sessionStorage.getItem('wayfare purchase')`), null);
