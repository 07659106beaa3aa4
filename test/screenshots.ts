import type { Page } from 'playwright-core';
import { countChangedDays } from '../src/domains/insight/rollups/sales-by-day.ts';
import type { Brand } from '../src/domains/travellers/travellers.ts';
import { previewOf } from '../src/entry/traveller/preview.ts';
import { DAY, HOUR, MINUTE } from '../src/platform/clock.ts';
import { sql } from '../src/platform/db/query/sql.ts';
import { JOB_SUCCESSES } from '../src/platform/jobs/successes.ts';
import { addresses, ask, browserOf, camera, loaded } from './support/browser/camera.ts';
import { brokenSupplier, planOfBrokenSupplier } from './support/browser/every-page/rich-installation.ts';
import { helpPages, sheetOf } from './support/browser/help-answers.ts';
import { takeInvoices } from './support/browser/invoice-pictures.ts';
import { takeBusiness, takeOpenDoors } from './support/browser/more-pictures.ts';
import { TestClock } from './support/clock.ts';
import { startTestPostgres } from './support/database/postgres.ts';
import type { TestApp } from './support/program/app.ts';
import { signedInOperator } from './support/program/console.ts';
import { run } from './support/program/operator.ts';
import { signedIn } from './support/program/panel.ts';
import { type PanelStage, panelStage } from './support/program/panel-stage.ts';

/** `npm run screenshots`: takes the pictures of the documentation. The clock stands still, so the same pages make the same pictures. */
const NOON = Date.UTC(2026, 10, 15, 12);
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 32"><circle cx="16" cy="16" r="14" fill="#0b5d7a"/>
<path d="M10 22V10l12 12V10" fill="none" stroke="#fff" stroke-width="2.5"/><path d="M40 22V10l9 12V10m18 6a6 6 0 1 1-12 0 6 6 0 0 1 12 0m7 6V10l6 8 6-8v12"
fill="none" stroke="#0b5d7a" stroke-width="2.5"/></svg>`;
/** The logo as a PNG. */
async function drawn({ browser }: PanelStage): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 360, height: 96 } });
  await page.setContent(`<style>body{margin:0}</style>${LOGO}`);
  const bytes = await page.screenshot({ omitBackground: true });
  await page.close();
  return bytes;
}

const postgres = await startTestPostgres();
process.env.WAYFARE_TEST_POSTGRES = postgres.url;
try {
  await takePictures();
  await takeConsolePictures();
  await takeInvoices();
} finally {
  await postgres.stop();
}

async function takePictures(): Promise<void> {
  const clock = new TestClock();
  clock.freeze(NOON);
  await using stage = await panelStage({ clock, config: { ...addresses, signUp: 'open' } });
  const { t, demo } = stage;
  const picture = camera(stage, clock);
  const ana = await signedIn(t, demo.partnerId, 'ana@example.com');

  const phone = { viewport: { width: 390, height: 800 }, deviceScaleFactor: 1.5 };
  const brand: Brand = {
    displayName: 'Nomad',
    color: '#0b5d7a',
    supportUrl: '',
    refillUrl: '',
    allowsReplacement: false,
    logo: { type: 'image/png', bytes: await drawn(stage) },
  };
  const sample = (state: 'not_active' | 'active') => previewOf({ brand, language: 'en', state, now: clock.now() });
  const shown = (page: Page) => page.getByRole('heading', { name: 'Japan' }).waitFor();
  await picture('travellers-page', '/sample', { ...phone, colorScheme: 'light' }, shown, sample('not_active'));
  await picture('travellers-page-dark', '/sample', { ...phone, colorScheme: 'dark' }, shown, sample('active'));

  const sheet = { viewport: { width: 1210, height: 1350 } };
  for (const [name, language, colorScheme] of [
    ['travellers-help', 'en', 'light'],
    ['travellers-help-dark', 'de', 'dark'],
    ['travellers-help-rtl', 'ar', 'light'],
  ] as const) {
    const html = sheetOf(
      helpPages({ ...brand, refillUrl: 'https://shop.example/', logo: null }, language, clock.now()),
    );
    await picture(name, '/sheet', { ...sheet, colorScheme }, (page) => page.waitForLoadState('networkidle'), html);
  }

  for (const [country, scenario] of [
    ['FR', 'success'],
    ['TR', 'failed'],
    ['US', 'success'],
  ] as const) {
    clock.advance(7 * MINUTE);
    await buyIn(t, demo.sandboxKey, country, scenario);
  }
  await run(t.operator(), `sandbox clock advance --partner ${demo.partnerId} --by ${(2 * DAY) / MINUTE}m`);
  const desk = { viewport: { width: 1280, height: 860 }, storageState: browserOf(stage.url, ana.cookie) };
  while ((await countChangedDays(t.base.worlds.sandbox.db, clock)) > 0);
  await picture('panel', '/sandbox', desk, async (page) => {
    await page.getByText('The test clock is on').waitFor();
    await page.getByText('Get started').waitFor();
    await page.getByText('United States').first().waitFor();
  });

  const opened = await ask(t, demo.liveKey, '/account/topup', { amount: '50' });
  await picture('pay-page', `/pay/${opened.client_secret}`, { viewport: { width: 460, height: 460 } }, (page) =>
    // The only thing on the page that is drawn at random.
    page.locator('dd').evaluate((it) => {
      it.textContent = 'pay_3f9c2b7e81d04a65';
    }),
  );
  await takeOpenDoors(stage, picture, desk);
}

/** Two weeks of sales by two partners, an order its supplier does not answer, and a request for a refund. */
async function takeConsolePictures(): Promise<void> {
  const clock = new TestClock();
  clock.freeze(NOON - 14 * DAY);
  const config = { ...addresses, ...(await brokenSupplier()) };
  await using stage = await panelStage({ clock, config });
  const { t, demo } = stage;
  const operate = (words: string | string[]) => run(t.operator(), words);
  const alpine = await t.partner({ name: 'Alpine Travel', email: 'ops@alpine.example' });
  await operate(`partner set ${alpine} --billing postpaid --credit-limit 2000`);
  await operate(`wallet credit --partner ${demo.partnerId} --amount 1000`);
  await operate('pricing rule add --scope country --target JP --share 30');
  await operate(`pricing rule add --scope region --target europe --share 40 --partner ${alpine}`);
  const keys = [demo.liveKey, await t.key(alpine)];
  const bought: string[] = [];
  for (let day = 0; day < 14; day++) {
    clock.advance(DAY);
    for (let n = 0; n < 2 + ((day * 5) % 4); n++) {
      const country = ['JP', 'FR', 'US', 'TR', 'IT'][(day + n) % 5] ?? 'JP';
      const { products } = await ask(t, keys[0] ?? '', `/catalog/products?country=${country}&limit=1`);
      const form = { product_id: products[0].id, reference: `booking-${1200 + bought.length}` };
      bought.push(String((await ask(t, keys[(day + n) % 3 === 0 ? 1 : 0] ?? '', '/purchase/buy', form)).id));
    }
  }
  const delivered = bought.at(-1) ?? '';
  const stuck = await ask(t, demo.liveKey, '/purchase/buy', { product_id: await planOfBrokenSupplier(stage) });
  clock.advance(40 * MINUTE);
  await t.base.db.run(sql`update suppliers set imported_at = ${new Date(clock.now() - 6 * HOUR)}`);
  while ((await countChangedDays(t.base.worlds.live.db, clock)) > 0);

  const picture = camera(stage, clock);
  const kim = await signedInOperator(t, 'admin', 'kim@operator.example');
  // Jobs seem to have stopped while the clock was turned.
  await t.base.db.run(sql`
    update settings set value = (select jsonb_object_agg(key, ${clock.now()}::float8) from jsonb_each(value))
    where name = ${JOB_SUCCESSES}`);
  const storageState = browserOf(stage.url, kim.cookie);
  const desk = { viewport: { width: 1280, height: 860 }, storageState, colorScheme: 'light' as const };
  await picture('console-home', '/operator', { ...desk, viewport: { width: 1280, height: 1100 } }, async (page) => {
    await loaded(page);
    await page.getByRole('application').first().waitFor();
  });
  await picture('console-orders', '/operator/orders', desk, loaded);
  await picture('console-order', `/operator/orders/${delivered}`, desk, loaded);
  await picture('console-partner', `/operator/partners/${alpine}`, desk, loaded);
  await picture('console-prices', '/operator/prices', desk, loaded);
  await picture('console-suppliers', '/operator/suppliers', desk, loaded);
  const phone = { viewport: { width: 390, height: 800 }, deviceScaleFactor: 1.5, storageState };
  await picture('console-phone', `/operator/orders/${stuck.id}`, { ...phone, colorScheme: 'dark' }, loaded);
  await takeBusiness(stage, { clock, picture, desk });
}

async function buyIn(t: TestApp, key: string, country: string, sandbox_scenario: string): Promise<void> {
  const { products } = await ask(t, key, `/catalog/products?country=${country}&limit=1`);
  await ask(t, key, '/purchase/buy', { product_id: products[0].id, sandbox_scenario });
}
