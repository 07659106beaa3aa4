import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { noBrowser, openPanel } from '../../support/browser/panel-browser.ts';
import { eventually } from '../../support/eventually.ts';
import { record } from '../../support/program/app.ts';
import { fakeStripe, STRIPE_KEY, STRIPE_WEBHOOK_SECRET } from '../../support/servers/fake-stripe.ts';

test('money in the panel, with Stripe as the card provider', { skip: noBrowser }, async (t) => {
  await using stripe = await fakeStripe();
  await using panel = await openPanel({
    CARD_PAYMENTS: 'stripe',
    STRIPE_SECRET_KEY: STRIPE_KEY,
    STRIPE_WEBHOOK_SECRET,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_panel',
    STRIPE_API_BASE: stripe.address,
  });
  const { page, server, complaints } = panel;
  const at = (path: string) => page.goto(server.urls.panel + path);
  const scriptOn = await playStripe(page, stripe);
  const status = (text: string) => page.getByRole('status').filter({ hasText: text });
  const newest = () => [...stripe.intents.values()].at(-1) ?? assert.fail('no payment was opened');
  const looksRight = async () => complaints.push(...(await layoutProblems(page)));
  const open = async (amount: string) => {
    const before = stripe.intents.size;
    await page.getByLabel('Amount (USD)').fill(amount);
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await eventually('the payment is opened', async () => stripe.intents.size > before);
    record('secrets', `${newest().client_secret}\n`);
    await page.waitForURL(/\/live\/money\/pay\?payment=topup_/);
  };

  await t.test('the allowed range is shown up front, and the card form is Stripe’s, on a page of its own', async () => {
    await at('/live/money');
    await page.getByText('From $10.00 to $10,000.00.').waitFor();
    await open('50');
    await page.getByLabel('Card number').waitFor();
    await page.getByText('$50.00').waitFor();
    await looksRight();
    assert.deepEqual(new Set(scriptOn.map((url) => new URL(url).pathname)), new Set(['/live/money/pay']));
  });

  await t.test('a payment that was left is found again after a reload, and can be paid', async () => {
    await page.getByRole('link', { name: 'Back to the panel' }).click();
    await status('Not paid yet').waitFor();
    await page.reload();
    await status('It can be paid until').waitFor();
    await page.getByRole('button', { name: 'Pay now' }).click();
    await page.getByLabel('Card number').fill('declined');
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByText('Your card was declined.').waitFor();
    await page.getByLabel('Card number').fill('good');
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByText('Paid. Your wallet was credited.').waitFor();
    await page.getByRole('link', { name: 'Back to the panel' }).click();
    await status('Your wallet was credited.').waitFor();
    await page.getByRole('region', { name: 'Balance' }).getByText('$300.00').first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Pay now' }).count(), 0);
  });

  await t.test('a payment that Stripe is still processing says so, here and on the card form', async () => {
    await open('60');
    stripe.process(newest().id);
    await at('/live/money');
    await status('The card provider is still processing it').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Pay now' }).count(), 0);
    stripe.pay(newest().id);
    await page.reload();
    await status('Your wallet was credited.').first().waitFor();
    await page.getByRole('region', { name: 'Balance' }).getByText('$360.00').first().waitFor();
  });

  await t.test('a paid top-up has its receipt beside it and in the history', async () => {
    const links = page.getByRole('main').getByRole('link', { name: 'Receipt' });
    const ofHistory = page.getByRole('table', { name: 'Wallet movements' }).getByRole('link', { name: 'Receipt' });
    await ofHistory.nth(1).waitFor();
    await looksRight();
    assert.deepEqual([await ofHistory.count(), await links.count()], [2, 3]);
    for (const link of [links.first(), ofHistory.first()]) {
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      assert.match(download.suggestedFilename(), /^receipt-topup-[0-9a-f]{32}\.pdf$/);
      assert.match((await buffer(await download.createReadStream())).toString('latin1'), /^%PDF-/);
    }
  });

  await t.test('the month adds up, and prints as a sheet without navigation, black on white', async () => {
    await page.getByRole('tab', { name: 'Monthly' }).click();
    await page.getByRole('main').getByRole('listitem').getByRole('link').first().click();
    const summary = page.getByRole('table', { name: 'Wallet: summary' });
    await summary.waitFor();
    assert.deepEqual(
      (await summary.getByRole('row').allTextContents()).map((row) => row.trim()),
      ['Opening balance$0.00', 'Top-up (3 lines)+$360.00', 'Balance now$360.00'],
    );
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    // As wide as A4 within its margins.
    await page.setViewportSize({ width: 690, height: 970 });
    assert.equal(await page.evaluate('getComputedStyle(document.querySelector("main thead")).position'), 'static');
    assert.equal(await page.getByRole('navigation').count(), 0);
    assert.equal(await page.getByRole('button').count(), 0);
    for (const sheet of ['body', 'main section'])
      assert.match(
        String(await page.evaluate(`getComputedStyle(document.querySelector("${sheet}")).backgroundColor`)),
        /^rgb(a\(0, 0, 0, 0\)|\(255, 255, 255\))$/,
      );
    assert.equal(await page.evaluate('getComputedStyle(document.querySelector("main td")).color'), 'rgb(0, 0, 0)');
    await page.emulateMedia({ colorScheme: 'light', media: 'screen' });
  });

  await t.test('movements are downloaded as CSV, with local times on request', async () => {
    await at('/live/money');
    await page.getByRole('button', { name: 'Download the movements as CSV' }).click();
    await page.getByLabel(/Add times in your zone/).check();
    await looksRight();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'movements.csv');
    const [header, ...rows] = (await buffer(await download.createReadStream())).toString().trimEnd().split('\r\n');
    assert.match(header ?? '', /^\ufeffid,date_utc,date_local \(.+\),type,/);
    assert.deepEqual(
      rows.map((row) => row.split(',').at(-1)),
      ['250.00', '300.00', '360.00'],
    );
  });

  await t.test('prices are shown beside the list prices, destination by destination', async () => {
    await at('/live/money?tab=prices');
    const prices = page.getByRole('table', { name: /^Your prices/ });
    await prices.getByRole('columnheader', { name: 'Your price' }).waitFor();
    await page.locator('input').and(page.getByLabel('Destination')).fill('Japan');
    await page.getByRole('option', { name: /Japan/ }).first().click();
    await prices.getByText('Japan').first().waitFor();
    assert.match(page.url(), /destination=JP/);
  });

  await t.test(
    'an account on invoice terms sees what it owes and, over its limit, that nothing can be spent',
    async () => {
      const terms = (...words: string[]) => panel.operator('partner', 'set', '1', ...words);
      assert.equal((await terms('--billing', 'postpaid', '--credit-limit', '0')).code, 0);
      await at('/live/money?tab=statement');
      await page.getByText('Nothing can be spent: you have no credit limit.').waitFor();
      await page.getByText('On invoice terms purchases use your credit, not the wallet.').waitFor();
      assert.equal((await terms('--billing', 'prepaid', '--suspended', 'true')).code, 0);
      await at('/live');
      await page.getByText('Nothing can be spent: your account is suspended.').waitFor();
      await terms('--suspended', 'false');
    },
  );

  // A refused request is also logged by the browser itself.
  assert.deepEqual(
    complaints.filter((text) => !text.includes('402 (')),
    [],
  );

  await t.test('no other page may load Stripe’s script', async () => {
    await at('/live/money');
    const loaded = await page.evaluate(`new Promise((resolve) => {
      const script = document.createElement('script');
      script.src = 'https://js.stripe.com/endive/stripe.js';
      script.onload = () => resolve(true);
      script.onerror = () => resolve(false);
      document.head.append(script);
    })`);
    assert.equal(loaded, false);
  });
});

/** Stripe in the browser: a script with its interface, and an API that pays at the fake. Returns the pages that load the script. */
async function playStripe(page: Page, stripe: Awaited<ReturnType<typeof fakeStripe>>): Promise<string[]> {
  const loadedOn: string[] = [];
  await page.route('https://js.stripe.com/**', (route) => {
    loadedOn.push(page.url());
    return route.fulfill({ contentType: 'text/javascript', body: stripeScript });
  });
  await page.route('https://api.stripe.com/**', async (route) => {
    const { secret, card } = route.request().postDataJSON();
    const intent = [...stripe.intents.values()].find(({ client_secret }) => client_secret === secret);
    assert.ok(intent);
    const headers = { 'access-control-allow-origin': '*' };
    if (card === 'declined') return route.fulfill({ status: 402, headers, json: {} });
    stripe.pay(intent.id);
    return route.fulfill({ headers, json: {} });
  });
  return loadedOn;
}

/** Stripe.js as far as the card form uses it. */
const stripeScript = `window.Stripe = (key) => {
  if (key !== 'pk_test_panel') throw new Error('the wrong publishable key');
  const listeners = {};
  const input = document.createElement('input');
  input.setAttribute('aria-label', 'Card number');
  return {
    elements: ({ clientSecret }) => ({
      clientSecret,
      create: () => ({
        on(event, listener) { listeners[event] = listener; },
        mount(place) { place.append(input); listeners.ready({}); },
        destroy: () => input.remove(),
      }),
    }),
    async confirmPayment({ elements }) {
      const body = JSON.stringify({ secret: elements.clientSecret, card: input.value });
      const answer = await fetch('https://api.stripe.com/v1/confirm', { method: 'POST', body });
      return answer.ok ? {} : { error: { message: 'Your card was declined.' } };
    },
  };
};`;
