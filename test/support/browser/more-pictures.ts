import type { BrowserContextOptions, Page } from 'playwright-core';
import { askForLive } from '../../../src/domains/partners/applications/applications.ts';
import { DAY, HOUR, MINUTE } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import type { TestClock } from '../clock.ts';
import { eventually } from '../eventually.ts';
import { signedInOperator } from '../program/console.ts';
import { run } from '../program/operator.ts';
import { PASSWORD, signedIn } from '../program/panel.ts';
import type { PanelStage } from '../program/panel-stage.ts';
import { browserOf, loaded, type Take, withFixedKey } from './camera.ts';

/** What a stranger sees, up to a first eSIM. */
export async function takeOpenDoors(stage: PanelStage, picture: Take, desk: BrowserContextOptions): Promise<void> {
  const { smtp, url } = stage;
  const stranger = { viewport: { width: 1280, height: 770 } };
  await picture('public-front', '/', stranger, loaded);
  await picture(
    'public-reference',
    '/docs/api/purchase_buy',
    { ...desk, viewport: { width: 1280, height: 700 } },
    async (page) => {
      await page.getByText('The samples contain your sandbox key').waitFor();
      await withFixedKey(page);
    },
  );
  await picture('sign-up', '/sign-up', { viewport: { width: 560, height: 620 } }, async (page) => {
    await page.getByLabel('Your name').fill('Ana Silva');
    await page.getByLabel('Company').fill('Island Hopper');
    await page.getByLabel('Email').fill('ana@island.example');
  });
  await picture('sign-up-opened', '/sign-up', { viewport: { width: 760, height: 760 } }, async (page) => {
    await page.getByLabel('Your name').fill('Ana Silva');
    await page.getByLabel('Company').fill('Island Hopper');
    await page.getByLabel('Email').fill('ana@island.example');
    await page.getByRole('button', { name: 'Sign up' }).click();
    const mail = await eventually('the link', async () => smtp.to('ana@island.example')[0]);
    await page.goto(mail.text.match(/^http.*#wfl_[\w-]+$/m)?.[0] ?? url);
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set password and open the account' }).click();
    await page.getByText('curl --silent').waitFor();
    await withFixedKey(page);
  });
}

interface Business {
  readonly clock: TestClock;
  readonly picture: Take;
  /** Of an operator. */
  readonly desk: BrowserContextOptions;
}

/** A partner's daily work, and the operators' side of it. */
export async function takeBusiness(stage: PanelStage, { clock, picture, desk }: Business): Promise<void> {
  const { t, demo, url } = stage;
  const ana = await signedIn(t, demo.partnerId, 'ana@example.com');
  const panel = { ...desk, storageState: browserOf(url, ana.cookie) };
  await picture('panel-overview', '/live', panel, loaded);
  await picture(
    'panel-buy',
    '/live/catalog?destination=JP',
    { ...panel, viewport: { width: 1280, height: 660 } },
    async (page) => {
      await loaded(page);
      await page
        .getByRole('button', { name: /^Buy: / })
        .first()
        .click();
      await page.getByRole('dialog').getByRole('button', { name: /^Buy/ }).waitFor();
    },
  );
  for (const [name, filters] of [
    ['Failed this month', { status: 'failed', from: '2026-11-01' }],
    ['Delivered in November', { status: 'delivered', from: '2026-11-01' }],
  ] as const)
    await ana.post('/api/views', { list: 'orders', name, filters }, { headers: { origin: url } });
  await picture('panel-views', '/live/orders?status=delivered&from=2026-11-01', panel, async (page) => {
    await loaded(page);
    await page.getByRole('button', { name: /^View/ }).click();
    await page.getByRole('menuitem', { name: 'Delivered in November' }).waitFor();
  });

  for (const [company, volume, use] of [
    ['Newcomer Travel', '200 a month', 'Ferries'],
    ['Fjord Rail', '1,500 a month', 'Rail passes'],
  ] as const) {
    clock.advance(50 * MINUTE);
    const email = `team@${company.split(' ')[0]?.toLowerCase()}.example`;
    const partnerId = await t.partner({ name: company, email, isLive: false });
    const details = { address: '1 Harbour Road', country: 'Bahamas', taxNumber: 'BS-1', volume, use };
    await t.base.db.tx((tx) => askForLive(tx, { partnerId, email, company, details }, clock.now()));
  }
  const write = (words: string[]) => run(t.operator(), ['incident', ...words]);
  const { incident_id } = await write([
    ...['write', '--title', 'Slow purchases', '--impact', 'minor', '--parts', 'api,suppliers'],
    ...['--text', 'Purchases take up to 20 seconds. We write again at 16:00 UTC.'],
  ]);
  clock.advance(20 * MINUTE);
  const found = 'A supplier is slow; new orders go to another.';
  await write(['update', String(incident_id), '--status', 'identified', '--text', found]);
  await measureNinetyDays(stage, clock);
  // Sessions expire when the clock is moved.
  const lee = await signedInOperator(t, 'admin', 'lee@operator.example');
  const anew = { ...desk, storageState: browserOf(url, lee.cookie) };
  const rows = (heading: string) => async (page: Page) => {
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await loaded(page);
  };
  await picture('console-applications', '/operator/applications', anew, rows('Applications'));
  await picture('console-incident', '/operator/incidents', anew, rows('Incidents'));
  await picture('public-status', '/status', { viewport: { width: 1280, height: 1000 } }, loaded);
}

/** As if it had been measured: one bad hour of the API, and two of suppliers. */
async function measureNinetyDays({ t }: PanelStage, clock: TestClock): Promise<void> {
  const now = Math.floor(clock.now() / HOUR) * HOUR;
  for (const [part, bad] of [
    ['api', [23 * 24]],
    ['webhooks', []],
    ['suppliers', [23 * 24, 61 * 24]],
  ] as const)
    await t.base.db.run(sql`
      insert into service_hours (part, hour, measured, failed, counted_at)
      select ${part}, ${new Date(now)}::timestamptz - n * interval '1 hour', 1000,
        case when n = any(${bad}::int[]) then 300 else 0 end, ${new Date(now)}
      from generate_series(0, ${(90 * DAY) / HOUR}::int) as n
      on conflict (part, hour) do update set measured = excluded.measured, failed = excluded.failed`);
}
