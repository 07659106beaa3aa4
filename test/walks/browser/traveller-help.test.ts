import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Language, languages } from '../../../src/domains/messages/texts/texts.ts';
import { steps } from '../../../src/domains/travellers/help/decision.ts';
import { watchedPage } from '../../support/browser/browser.ts';
import { helpPages } from '../../support/browser/help-answers.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { createKey, noBrowser, openPanel } from '../../support/browser/panel-browser.ts';
import { record } from '../../support/program/app.ts';

const PHONE = { width: 390, height: 844 };

test('“It doesn’t work” in a browser without JavaScript', { skip: noBrowser }, async (t) => {
  await using panel = await openPanel();
  const { page: desk, context, complaints, server } = panel;
  const { call } = await createKey(panel);
  const { products } = await call('/catalog/products?country=JP&limit=1');
  const { id } = await call('/purchase/buy', { product_id: products[0].id });
  const { esim } = await call(`/order/detail/${id}`);
  record('secrets', `${esim.share_url.split('/e/')[1]}\n`);
  const browser = context.browser();
  assert.ok(browser);

  await t.test('a traveller is answered, asks for help, and the partner finds the request in the panel', async () => {
    const visitor = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false, locale: 'de-DE' });
    const { page, complaints: own } = await watchedPage(visitor);
    await page.goto(esim.share_url);
    const { help } = languages.de;
    await page.getByRole('link', { name: help.button }).click();
    await page.getByRole('link', { name: help.symptoms.no_internet }).click();
    await page.getByRole('heading', { name: help.steps.install.title }).waitFor();
    await page.getByRole('link', { name: help.notSolved }).click();
    await page.getByLabel(help.ask.message).fill('Kein Internet am Flughafen');
    await page.getByRole('button', { name: help.ask.send }).click();
    await page.getByRole('heading', { name: help.sent.title }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: help.sent.title }).waitFor();
    await visitor.close();
    complaints.push(...own);
    await desk.goto(`${server.urls.panel}/sandbox/help`);
    await desk.getByText('Kein Internet am Flughafen').waitFor();
    await desk.getByRole('link', { name: '1', exact: true }).click();
    await desk.getByText('Not installed yet').waitFor();
    await desk.getByRole('button', { name: 'Close request' }).click();
    await desk.getByText('Closed').first().waitFor();
  });

  await t.test('every answer fits a phone, in light, in dark and from right to left', async () => {
    const brand = { displayName: 'Nomad', color: '#0b5d7a', supportUrl: 'https://help.example/' } as const;
    const whole = { ...brand, refillUrl: 'https://shop.example/', allowsReplacement: true, logo: null };
    const looks: readonly [Language, 'light' | 'dark'][] = [
      ['en', 'light'],
      ['de', 'dark'],
      ['ar', 'light'],
    ];
    for (const [language, colorScheme] of looks) {
      const visitor = await browser.newContext({ viewport: PHONE, colorScheme });
      const { page } = await watchedPage(visitor);
      const pages = helpPages(whole, language, Date.now(), 'other');
      for (const step of steps) assert.ok(pages.has(step), step);
      for (const [name, html] of pages) {
        await page.setContent(html);
        const found = await layoutProblems(page, async () => {});
        await page.setViewportSize(PHONE);
        assert.deepEqual(found, [], `${name} in ${language}`);
      }
      await visitor.close();
    }
  });
  assert.deepEqual(complaints, []);
});
