import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { importCatalog } from '../../src/domains/catalog/import/import-list.ts';
import { askForLive } from '../../src/domains/partners/applications/applications.ts';
import { raw, sql } from '../../src/platform/db/query/sql.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import { watchedPage } from '../../test/support/browser/browser.ts';
import { consoleDoors, consoleStates } from '../../test/support/browser/every-page/console-states.ts';
import { doors, panelStates } from '../../test/support/browser/every-page/panel-states.ts';
import {
  brokenSupplier,
  type RichInstallation,
  richInstallation,
} from '../../test/support/browser/every-page/rich-installation.ts';
import { type PageState, startWalk } from '../../test/support/browser/every-page/walk.ts';
import { eventually } from '../../test/support/eventually.ts';
import { run } from '../../test/support/program/operator.ts';
import { signedInAs } from '../../test/support/program/panel.ts';
import { type PanelStage, panelStage } from '../../test/support/program/panel-stage.ts';
import { askForHelp } from '../../test/support/sales/shared-order.ts';
import type { Attack } from './attack.ts';

/** Breaks out of attributes, comments, scripts and titles; leaves a mark if any of it becomes an element. */
const HOSTILE = `"'--></title></script><svg data-xss onload=alert(1)><img data-xss src=x onerror=alert(1)>`;
/** For short fields. */
const SHORT = '"><svg data-xss onload=alert(1)>';

/** Where something that a partner, a traveller, a supplier or a settings file wrote is shown. */
const OTHERS_TEXTS =
  /keys|traveller|settings|orders|requests|webhooks|esims|activity|partners|refunds|audit|help|catalog|applications|incidents|suppliers/;

/** What strangers see. */
const publicPages = [
  ...['/', '/destinations', '/destinations/japan', '/destinations/far-away', '/docs', '/docs/api', '/docs/tools'],
  ...['/docs/api/purchase_buy', '/docs/guides/build-a-shop', '/changelog', '/status', '/sign-up', '/nowhere'],
];

export const xss: Attack = {
  name: 'xss',
  tries:
    'every text of a partner, a traveller, a supplier and the settings is markup, on the pages that show it and in every mail',
  needsBrowser: true,
  async run(attempt) {
    const { site } = readConfig({ SITE_NAME: `</title>${SHORT}`, SITE_TAGLINE: HOSTILE });
    assert.throws(() => readConfig({ SITE_COLOR: '#336699;}</style><svg data-xss onload=alert(1)>' }), /SITE_COLOR/);
    await using stage = await panelStage({ config: { ...(await brokenSupplier()), site, signUp: 'open' } });
    const { url, t } = stage;
    const rich = await richInstallation(stage);
    await plant(stage, rich);
    const isShort = attempt.size === 'short';
    /** Each page that shows texts of partners once, or every page with all its tabs, dialogs and states. */
    const chosen = (all: Record<string, PageState[] | undefined>): PageState[] =>
      Object.entries(all).flatMap(([pattern, looks = []]) =>
        !isShort ? looks : OTHERS_TEXTS.test(pattern) ? looks.filter(({ act }) => !act).slice(0, 1) : [],
      );
    const asked = encodeURIComponent(HOSTILE);

    const panel = await startWalk(await stage.enter(rich.partnerId), `${url}/sandbox`);
    const ofMembers = [
      ...chosen(
        panelStates(
          panel.patterns.filter((pattern) => !(pattern in doors(''))),
          rich,
        ),
      ),
      { address: `/sandbox/orders?reference=${asked}` },
      { address: `/sandbox/webhooks/${rich.sandbox.working}?delivery=${rich.sandbox.deliveryId}` },
      { address: `/sandbox/orders/${rich.sandbox.refundRequested}` },
    ];
    for (const state of ofMembers) await visit(panel, state);
    attempt.held(`${ofMembers.length} pages of the panel show markup as text`);

    const console = await startWalk(await stage.operate('admin'), `${url}/operator`);
    const ofOperators = [
      ...chosen(
        consoleStates(
          console.patterns.filter((pattern) => !(pattern in consoleDoors(''))),
          rich,
        ),
      ),
      { address: `/operator/partners?q=${asked}` },
      ...['keys', 'members', 'webhooks', 'money'].map((tab) => ({
        address: `/operator/partners/${rich.partnerId}?tab=${tab}`,
      })),
    ];
    for (const state of ofOperators) await visit(console, state);
    attempt.held(`${ofOperators.length} pages of the console show markup as text`);

    const { page } = await watchedPage(await stage.browser.newContext());
    const { client_secret } = (await t.post('/account/topup', { amount: '50' }, { key: stage.demo.liveKey })).body;
    const searches = ['/destinations', '/docs/search'].map((path) => `${path}?q=${asked}`);
    const ofStrangers = [...publicPages, ...searches, `/pay/${client_secret}`];
    for (const path of ofStrangers) {
      await page.goto(url + path);
      await requireHarmless(page, path);
      assert.match(await page.content(), /data-xss/, `${path} shows none of it`);
    }
    attempt.held(`${ofStrangers.length} public pages show markup as text`);

    const link = await t.base.worlds.sandbox.travellerLinks.urlOf({ id: BigInt(rich.sandbox.delivered) });
    assert.ok(link);
    for (const language of isShort ? ['en'] : ['en', 'de', 'ja', 'ar'])
      for (const path of ['?', '/help?', '/help?shows=no_internet&', '/help/ask?shows=other&']) {
        await page.goto(`${link}${path}lang=${language}`);
        await requireHarmless(page, `the traveller’s page, ${path}`);
      }
    attempt.held('so do the traveller’s pages');

    const { received } = stage.smtp;
    await eventually('mails are sent', async () => received.length > 0);
    for (const { raw, html, headers } of received) {
      assert.ok(!/^(bcc|cc):/im.test(raw.split('\r\n\r\n')[0] ?? ''), 'no header was added');
      assert.doesNotMatch(html, /\ssrc="(?!cid:)|url\(|<script/, 'a mail loads nothing');
      await page.setContent(html);
      await requireHarmless(page, `the mail “${headers.subject}”`);
    }
    attempt.held(`${received.length} mails show markup as text and load nothing`);
  },
};

async function visit(walk: Awaited<ReturnType<typeof startWalk>>, state: PageState): Promise<void> {
  await walk.glance(state, 'without axe');
  await requireHarmless(walk.page, state.address);
}

async function requireHarmless(page: Page, where: string): Promise<void> {
  const found = await page.evaluate<string[]>(
    `[...document.querySelectorAll('[data-xss], [onload], [onerror], a[href^="javascript:" i], iframe[src^="javascript:" i]')].map((it) => it.outerHTML)`,
  );
  assert.deepEqual(found, [], where);
}

/** Stores the hostile text wherever a partner's text is kept, some of it directly in the database, bypassing validation. */
async function plant({ t, hook, demo, url }: PanelStage, rich: RichInstallation): Promise<void> {
  const { db, vault } = t.base;
  hook.answer = (_request, response: ServerResponse) =>
    void response.writeHead(500, { 'x-more': SHORT, 'content-type': 'text/html' }).end(HOSTILE);
  const owner = await signedInAs(t, demo.partnerId, 'owner');
  const post = async (path: string, body: object) =>
    (
      await fetch(url + path, {
        method: 'POST',
        headers: {
          cookie: owner.cookie,
          origin: url,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        body: JSON.stringify(body),
      })
    ).status;
  const brand = { display_name: SHORT, color: '#336699' };
  assert.equal(await post('/api/brand', { ...brand, support_url: 'javascript:alert(1)' }), 400, 'no script as a link');
  const links = { support_url: 'https://help.example/', refill_url: `https://shop.example/{iccid}?${SHORT}` };
  for (const refill_url of [
    'javascript:alert(1)//{iccid}',
    'https://shop@evil.example/{iccid}',
    'http://shop.example/',
  ])
    assert.equal(await post('/api/brand', { ...brand, ...links, refill_url }), 400, refill_url);
  for (const color of ['red', '#336699;}</style><svg data-xss onload=alert(1)>'])
    assert.equal(await post('/api/brand', { ...brand, ...links, color }), 400, color);
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>').toString('base64');
  assert.equal(await post('/api/brand', { ...brand, ...links, logo: drawing }), 400, 'no logo that can hold scripts');
  assert.equal(await post('/api/brand', { ...brand, ...links }), 200);
  assert.equal(await post('/api/views', { list: 'orders', name: SHORT, filters: { status: 'failed' } }), 200);
  assert.equal(await post('/api/members', { email: '<svg/data-xss/onload=alert(1)>@example.com' }), 200);
  assert.equal(await post('/api/members', { email: 'guest@example.com' }), 200);
  await plantOfOthers(t, rich);
  await db.run(sql`update partners set name = ${HOSTILE.slice(0, 90)} where id = ${demo.partnerId}`);
  await db.run(sql`update api_keys set name = ${SHORT}, note = ${HOSTILE} where partner_id = ${demo.partnerId}`);
  for (const world of ['live', 'sandbox'].map(raw)) {
    await db.run(sql`update ${world}.orders set reference = ${SHORT}, idempotency_key = ${HOSTILE.slice(0, 60)} || id`);
    await db.run(sql`update ${world}.refunds set reason = ${HOSTILE}, note = ${HOSTILE}`);
    await db.run(sql`
      update ${world}.webhook_subscriptions set url = ${hook.url} || '/' || ${SHORT} || id where status <> 4`);
    await db.run(
      sql`update ${world}.webhook_deliveries set error = ${HOSTILE}, body = ${vault.seal(HOSTILE)} where body is not null`,
    );
  }
  await t.post('/webhook/test', { subscription_id: rich.sandbox.working }, { key: demo.sandboxKey });
  await t.get(`/catalog/products?country=${encodeURIComponent(HOSTILE)}`, { key: demo.sandboxKey });
  await eventually('the hostile answer is kept', async () => hook.received.some(({ path }) => path.includes('svg')));
}

/** What travellers, suppliers, newcomers and operators wrote. */
async function plantOfOthers(t: PanelStage['t'], rich: RichInstallation): Promise<void> {
  const { db, vault, worlds } = t.base;
  const operate = (...words: string[]) => run(t.operator(), words);
  await askForHelp(t, worlds.sandbox, BigInt(rich.sandbox.used), { message: HOSTILE, email: 'guest@example.com' });
  await operate('incident', 'write', '--title', SHORT, '--text', HOSTILE, '--impact', 'minor', '--parts', 'api');
  await operate('note', 'add', '--partner', String(rich.partnerId), '--text', HOSTILE);
  const texts = { title: SHORT, short_info: HOSTILE, fair_use_text: HOSTILE, operator: { title: SHORT, networks: [] } };
  const plan = { code: 'hostile', ...texts, amount: 1024, day: 7, network_type: '5G', price: 6, cost: 4 };
  await db.tx((tx) =>
    importCatalog(
      tx,
      {
        supplier: { slug: 'hostile', title: SHORT, kind: 'simulated' },
        full: false,
        destinations: [{ entry: { code: 'far-away', slug: 'far-away', scope: 'regional', title: SHORT }, line: 1 }],
        plans: [
          { entry: { ...plan, destination: 'JP' }, line: 2 },
          { entry: { ...plan, code: 'hostile-far', destination: 'far-away', coverage: ['JP'] }, line: 3 },
        ],
      },
      vault.sign,
    ),
  );
  const company = HOSTILE.slice(0, 90);
  const partnerId = await t.partner({ name: company, email: 'hostile@example.com', isLive: false });
  const details = { address: HOSTILE, country: SHORT, taxNumber: SHORT, volume: SHORT, use: HOSTILE };
  const wish = { partnerId, email: 'hostile@example.com', company, details };
  await db.tx((tx) => askForLive(tx, wish, t.clock.now()));
  await eventually('the plan is on sale', async () => {
    const { text } = await t.get('/destinations/far-away', { host: 'panel', headers: { accept: 'text/html' } });
    return text.includes('data-xss');
  });
}
