import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { shopApp } from '../../../examples/shop/app.ts';
import { Catalog } from '../../../examples/shop/catalog.ts';
import { Wayfare } from '../../../sdk/src/wayfare.ts';
import { newWindow, openBrowser, PHONE, watchedPage } from '../../support/browser/browser.ts';
import { smallTargets } from '../../support/browser/every-page/page-checks.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { ADMIN, exampleShop, served } from '../../support/debian/example-shop.ts';

test('the example shop in a browser: every page on a phone and a desktop, in both themes', {
  skip: noBrowser,
}, async (t) => {
  await using browser = await openBrowser();
  await using own = await exampleShop();
  const { shop, url } = own;
  const context = await newWindow(browser, PHONE);
  const { page, complaints } = await watchedPage(context);

  /** Nothing on these pages moves. */
  async function looksRight(where: Page = page): Promise<void> {
    complaints.push(...(await layoutProblems(where, async () => {})));
    await where.setViewportSize(PHONE);
    complaints.push(...(await smallTargets(where)));
  }
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  async function pay(outcome = ''): Promise<void> {
    await page.getByLabel('Email').fill('ana@example.com');
    await page.getByLabel('Sandbox: what happens').selectOption(outcome);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByLabel('Valid until').fill('12/30');
    await page.getByLabel('Security code').fill('123');
    await page.getByRole('button', { name: 'Pay' }).click();
  }
  const buy = async (outcome?: string) => {
    await page.goto(`${url}/to/jp`);
    await page
      .getByRole('link', { name: /^Buy Japan/ })
      .first()
      .click();
    await pay(outcome);
  };

  await t.test('from the first page to the eSIM on the traveller’s page', async () => {
    await page.goto(url);
    await looksRight();
    await page.getByLabel('Where are you going?').fill('japan');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'Japan' }).click();
    await heading('Japan');
    await looksRight();
    await page
      .getByRole('link', { name: /^Buy Japan/ })
      .first()
      .click();
    await looksRight();
    await page.getByLabel('Email').fill('ana@example.com');
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByLabel('Card number').fill('4000 0000 0000 0002');
    await page.getByLabel('Valid until').fill('12/30');
    await page.getByLabel('Security code').fill('123');
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('The card was declined').waitFor();
    await looksRight();
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByLabel('Valid until').fill('12/30');
    await page.getByLabel('Security code').fill('123');
    await page.getByRole('button', { name: 'Pay' }).click();
    await heading('Your eSIM is ready');
    await looksRight();
    await page.getByRole('link', { name: 'Install your eSIM' }).click();
    await page.getByText('This is a test eSIM').waitFor();
  });

  await t.test('a refill, a refund, an order that fails and one that waits', async () => {
    await buy();
    await page.getByRole('link', { name: /^Add / }).first().click();
    await pay();
    await heading('Data added');
    await looksRight();
    await buy();
    await page.getByRole('button', { name: 'Ask for a refund' }).click();
    await heading('Refunded');
    await looksRight();
    await buy('failed');
    await heading('This did not work');
    await looksRight();
    await buy('deferred');
    await page.getByRole('button', { name: 'Cancel the order' }).click();
    await heading('Cancelled');
    await looksRight();
    await buy('deferred');
    await heading('On its way');
    await looksRight();
    // The page changes by itself when the eSIM is there.
    await shop.wayfare.sandbox.clock({ advance: 61 });
    await heading('Your eSIM is ready');
    await shop.wayfare.sandbox.clock({ reset: 1 });
  });

  await t.test('pages that are not there, a region, a search without a result', async () => {
    for (const [path, text] of [
      ['/to/europe', 'Works in'],
      ['/?q=atlantis', 'We sell nothing for'],
    ] as const) {
      await page.goto(url + path);
      await page.getByText(text).waitFor();
      await looksRight();
    }
    await page.goto(`${url}/nowhere`);
    await heading('Not found');
    await looksRight();
  });

  await t.test('the admin’s pages, with no orders, with many and with a difference', async () => {
    const desk = await newWindow(browser, PHONE);
    await desk.setExtraHTTPHeaders({ authorization: `Basic ${btoa(`admin:${ADMIN.password}`)}` });
    const { page: admin, complaints: own } = await watchedPage(desk);
    await admin.goto(`${url}/admin`);
    await admin.getByText('Not run yet').waitFor();
    await looksRight(admin);
    await shop.wayfare.purchase.buy({
      product_id: [...(await shop.catalog.destinations()).values()][0]?.plans[0]?.id ?? '',
    });
    await admin.getByRole('button', { name: 'Compare today' }).click();
    await admin.getByText('Differences: 1').waitFor();
    await looksRight(admin);
    await admin.getByRole('link', { name: 'Buy for a group' }).click();
    await admin.getByLabel('Destination').selectOption('jp');
    await admin.getByRole('button', { name: 'Show its plans' }).click();
    await admin.getByLabel('How many').waitFor();
    await looksRight(admin);
    await admin.getByLabel('Email of the company').fill('office@example.com');
    await admin.getByRole('button', { name: 'Buy', exact: true }).click();
    await admin.getByText('(group)').nth(19).waitFor();
    await looksRight(admin);
    shop.store.db.exec('delete from orders');
    await admin.goto(`${url}/admin`);
    await admin.getByText('No orders yet').waitFor();
    await looksRight(admin);
    complaints.push(...own);
  });

  await t.test('while Wayfare is unreachable', async () => {
    const away = new Wayfare({ key: own.settings.WAYFARE_KEY, baseUrl: 'http://localhost:1/v3', maxRetries: 0 });
    const lonely = { ...shop, wayfare: away, catalog: new Catalog(away) };
    const made = { name: 'Away', adminPassword: ADMIN.password, webhookSecret: undefined };
    await using gone = await served(await shopApp(lonely, made));
    await page.goto(gone.url);
    await heading('Back in a moment');
    await looksRight();
  });

  // A page that is not there, and Wayfare away: Chromium says so, as it should.
  const expected = /Failed to load resource: the server responded with a status of (404|503)/;
  assert.deepEqual(
    complaints.filter((one) => !expected.test(one)),
    [],
  );
});
