import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { languages } from '../../src/traveller-texts/traveller-texts.ts';
import { record } from '../support/app.ts';
import { watchedPage } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { layoutProblems } from '../support/layout-problems.ts';
import { createKey, noBrowser, openPanel } from '../support/panel-browser.ts';
import { pngOf } from '../support/png.ts';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1';
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36';
const PHONE = { width: 390, height: 844 };

test('the traveller’s page in a browser', { skip: noBrowser }, async (t) => {
  await using panel = await openPanel();
  const { page: desk, server, context, complaints } = panel;
  const { call } = await createKey(panel);
  const { products } = await call('/catalog/products?country=JP&limit=1');
  const buy = async (sandbox_usage: string) => {
    const { id } = await call('/purchase/buy', { product_id: products[0].id, sandbox_usage });
    const { esim } = await call(`/order/detail/${id}`);
    record('secrets', `${esim.share_url.split('/e/')[1]}\n`);
    return { id, esim, url: esim.share_url as string };
  };
  const fresh = await buy('not_active');
  const used = await buy('active');

  /** A visitor's browser, and every address it asked for. */
  const visit = async (options: BrowserContextOptions, work: (page: Page) => Promise<void>) => {
    const visitor = await context.browser()?.newContext({ viewport: PHONE, ...options });
    assert.ok(visitor);
    const { page, complaints: own } = await watchedPage(visitor);
    const asked: string[] = [];
    visitor.on('request', (request) => asked.push(request.url()));
    await work(page);
    await visitor.close();
    complaints.push(...own);
    assert.deepEqual(
      asked.filter((url) => !url.startsWith(`${server.urls.panel}/`)),
      [],
    );
  };
  const unfolded = (page: Page) => page.evaluate('for (const d of document.querySelectorAll("details")) d.open = true');
  /** Nothing on the page moves. */
  const problems = async (page: Page) => {
    const found = await layoutProblems(page, async () => {});
    await page.setViewportSize(PHONE);
    return found;
  };

  await t.test('a member brands it with a live preview', async () => {
    await desk.getByRole('link', { name: 'Traveller’s page' }).click();
    await desk.getByLabel('Display name').fill('Nomad & Co');
    await desk.getByLabel('Colour').fill('#ffd400');
    await desk.getByLabel('Support link').fill('https://help.example/');
    const shown = desk.frameLocator('iframe');
    await shown.getByText('Contact Nomad & Co').waitFor();
    const file = { name: 'logo.png', mimeType: 'image/png', buffer: pngOf(90, 30) };
    await desk.locator('input[type=file]').setInputFiles(file);
    await shown.getByRole('img', { name: 'Nomad & Co' }).waitFor();
    await desk.getByRole('button', { name: 'Save' }).click();
    await desk.getByText('Pages show it from now on').waitFor();
  });

  await t.test('on an iPhone: one tap, codes to copy, and the tap is counted', async () => {
    await visit({ userAgent: IPHONE, permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      const answer = await page.goto(fresh.url);
      const bytes = (await answer?.body())?.length ?? Number.POSITIVE_INFINITY;
      assert.ok(bytes < 40_000, `${bytes} bytes`);
      await page.getByRole('img', { name: 'Nomad & Co' }).waitFor();
      await page.getByText('This is a test eSIM').waitFor();
      assert.ok(await page.getByRole('radio', { name: 'iPhone' }).isChecked());
      const link = page.getByRole('link', { name: 'Install on iPhone' });
      assert.match(
        (await link.getAttribute('href')) ?? '',
        /^https:\/\/esimsetup\.apple\.com\/.*LPA:1\$sandbox\.invalid\$/,
      );
      await page.getByText('Enter the codes yourself').click();
      await page.getByRole('button', { name: 'Copy Activation code' }).click();
      await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), fresh.esim.matching_id);
      await unfolded(page);
      complaints.push(...(await problems(page)));
      // Followed nowhere: only the tap is of interest.
      await page.evaluate('for (const a of document.querySelectorAll("a[ping]")) a.href = "#"');
      await link.click();
    });
    await eventually('the tap is counted', async () => {
      const answer = await desk.request.get(`${server.urls.panel}/api/sandbox/orders/${fresh.id}/share`);
      const { share } = await answer.json();
      return share.installs_opened === 1 && share.views >= 1;
    });
  });

  await t.test('on Android without JavaScript: everything but copying', async () => {
    await visit({ userAgent: ANDROID, javaScriptEnabled: false }, async (page) => {
      await page.goto(fresh.url);
      assert.ok(await page.getByRole('radio', { name: 'Android' }).isChecked());
      await page.getByRole('link', { name: 'Install on Android' }).waitFor();
      assert.equal(await page.getByRole('link', { name: 'Install on iPhone' }).count(), 0);
      await page.getByText('iPhone', { exact: true }).click();
      await page.getByRole('link', { name: 'Install on iPhone' }).waitFor();
      await page.getByText('Scan the QR code').click();
      assert.ok(await page.getByRole('img', { name: 'QR code that installs the eSIM' }).isVisible());
      await page.getByText('Enter the codes yourself').click();
      assert.ok(await page.getByText(fresh.esim.matching_id, { exact: true }).isVisible());
      assert.equal(await page.getByRole('button').count(), 0);
      await page.getByLabel('Language: English').click();
      await page.getByRole('link', { name: 'Deutsch' }).click();
      await page.getByRole('heading', { name: 'eSIM installieren' }).waitFor();
    });
  });

  await t.test('on a computer: the QR code is in sight, and usage is renewed by itself', async () => {
    await visit({ viewport: { width: 1440, height: 900 } }, async (page) => {
      await page.goto(fresh.url);
      assert.ok(await page.getByRole('img', { name: 'QR code that installs the eSIM' }).isVisible());
      const renewed = page.waitForResponse(/\/usage\?lang=en$/);
      await page.goto(used.url);
      assert.equal((await renewed).status(), 200);
      await page.getByText('Active', { exact: true }).waitFor();
      await page.getByText('Installation details').waitFor();
      await unfolded(page);
      complaints.push(...(await problems(page)));
    });
  });

  await t.test('in every language: nothing is missing, nothing runs over the edge', async () => {
    await visit({ userAgent: IPHONE }, async (page) => {
      for (const [code, { dir, install, name }] of Object.entries(languages)) {
        await page.goto(`${used.url}?lang=${code}`);
        await page.getByText(name).first().waitFor();
        assert.equal(await page.evaluate('document.documentElement.dir'), dir, code);
        await unfolded(page);
        assert.ok(await page.getByText(install.before).isVisible(), code);
        const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
        assert.ok(width <= PHONE.width, `${code} is ${width} px wide`);
        if (dir === 'rtl') complaints.push(...(await problems(page)));
      }
    });
  });

  await t.test('a member revokes the link, and the page is gone', async () => {
    await desk.goto(`${server.urls.panel}/sandbox/orders/${fresh.id}`);
    await desk.getByText('installation started 1 time').waitFor();
    await desk.getByRole('button', { name: 'Revoke link' }).click();
    await desk.getByRole('dialog').getByRole('button', { name: 'Revoke link' }).click();
    await desk.getByText('The link was revoked').waitFor();
    await visit({ userAgent: IPHONE }, async (page) => {
      assert.equal((await page.goto(fresh.url))?.status(), 404);
      await page.getByRole('heading', { name: 'This page is not available' }).waitFor();
      complaints.push(...(await problems(page)));
    });
    await desk.getByRole('button', { name: 'Create a new link' }).click();
    await desk.getByRole('link', { name: 'Open' }).waitFor();
  });

  assert.deepEqual(
    complaints.filter((text) => !text.includes('404 (Not Found)')),
    [],
  );
});
