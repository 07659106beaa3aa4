import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { languages } from '../../../src/domains/messages/texts/texts.ts';
import { watchedPage } from '../../support/browser/browser.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { createKey, noBrowser, openPanel } from '../../support/browser/panel-browser.ts';
import { pngOf } from '../../support/browser/png.ts';
import { eventually } from '../../support/eventually.ts';
import { record } from '../../support/program/app.ts';

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
    await desk.getByLabel('Refill link').fill('https://shop.example/{iccid}');
    await shown.getByText('Contact Nomad & Co').waitFor();
    await shown.getByRole('link', { name: 'Add data' }).waitFor();
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

  await t.test(
    'on a bad network: one request is the whole page, figures stay, are called old, and come back',
    async () => {
      await visit({ userAgent: IPHONE }, async (page) => {
        await page.clock.install();
        // Nothing but the page itself arrives: no logo, no flag, and no figures yet.
        let answers: 'lost' | 'wrong' | 'late' | 'right' = 'lost';
        let asked = 0;
        await page.route(/\/(usage|logo|flags)/, async (route) => {
          const isUsage = route.request().url().includes('/usage');
          if (isUsage) asked += 1;
          if (!isUsage || answers === 'lost') return route.abort();
          if (answers === 'wrong') return route.fulfill({ status: 503, body: 'busy' });
          // Never answered: the page has to give up by itself.
          if (answers !== 'late') return route.continue();
        });
        await page.goto(used.url);
        await page.getByText('Nomad & Co').first().waitFor();
        await page.locator('a[href^="https://esimsetup.apple.com/"]').waitFor({ state: 'attached' });
        const figures = page.locator('#usage .big');
        const before = await figures.textContent();
        const isOld = () => page.getByText('may be out of date').isVisible();
        await eventually('the first try', async () => asked === 1);
        assert.equal(await isOld(), false, 'one lost answer says nothing');
        const triesIn = async (minutes: number) => {
          const first = asked;
          for (let halves = 0; halves < 2 * minutes; halves++) await page.clock.runFor(30_000);
          return asked - first;
        };
        await page.clock.runFor(10_000);
        await eventually('two lost answers say so', isOld);
        answers = 'wrong';
        assert.ok((await triesIn(11)) <= 5, 'after 20, 40, 80, 160 and 320 seconds');
        assert.ok((await triesIn(15)) <= 3, 'then every ten minutes');
        assert.equal(await figures.textContent(), before, 'good figures stay');
        answers = 'late';
        await page.evaluate('dispatchEvent(new Event("online"))');
        await page.clock.runFor(25_000);
        answers = 'right';
        await eventually('fresh figures', async () => {
          await page.evaluate('dispatchEvent(new Event("online"))');
          return !(await isOld());
        });
        assert.ok(await page.getByText('As of').isVisible());
      });
    },
  );

  await t.test('offline: the page that is open keeps everything, and takes up again by itself', async () => {
    await visit({ userAgent: IPHONE }, async (page) => {
      await page.goto(used.url);
      await page.getByText('As of').waitFor();
      await page.context().setOffline(true);
      await page.getByText('may be out of date').waitFor();
      assert.ok(await page.locator('#usage .big').isVisible());
      await page.getByText('Installation details').click();
      await page.getByText('Scan the QR code').click();
      assert.ok(await page.getByRole('img', { name: 'QR code that installs the eSIM' }).isVisible());
      await page.context().setOffline(false);
      await page.getByText('As of').waitFor();
    });
  });

  await t.test('a traveller gets to the shop of the partner, with the eSIM’s number', async () => {
    await visit({ userAgent: IPHONE, javaScriptEnabled: false }, async (page) => {
      await page.goto(used.url);
      const link = page.getByRole('link', { name: 'Add data' });
      assert.equal(await link.getAttribute('href'), `https://shop.example/${used.esim.iccid}`);
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
    await desk.getByRole('link', { name: 'Open', exact: true }).waitFor();
  });

  assert.deepEqual(
    complaints.filter((text) => !/404 \(Not Found\)|503 \(|net::ERR_(FAILED|INTERNET_DISCONNECTED|ABORTED)/.test(text)),
    [],
  );
});
