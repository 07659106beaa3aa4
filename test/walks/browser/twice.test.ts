import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPartner } from '../../../src/domains/partners/accounts/accounts.ts';
import { askForLive, moveApplication } from '../../../src/domains/partners/applications/applications.ts';
import { memberAccess, operatorAccess, operators } from '../../../src/domains/partners/people/people.ts';
import { proposals } from '../../../src/domains/partners/proposals/proposals.ts';
import type { Services } from '../../../src/entry/api/endpoint.ts';
import { endpoints } from '../../../src/entry/api/endpoints.ts';
import type { AnswerParts } from '../../../src/entry/api/gates/answer.ts';
import { consoleActions } from '../../../src/entry/console/api.ts';
import { panelActions } from '../../../src/entry/panel/api.ts';
import { purchaseActions } from '../../../src/entry/panel/orders/purchases.ts';
import { severalActions } from '../../../src/entry/panel/orders/several.ts';
import { tryActions } from '../../../src/entry/panel/sandbox.ts';
import { v3Permissions } from '../../../src/entry/panel/v3-permissions.ts';
import { toCents } from '../../../src/platform/amounts/cents.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { Pattern, segmentsOf } from '../../../src/platform/http/target.ts';
import { type DoubleClicks, startDoubleClicks } from '../../support/browser/double-clicks.ts';
import { brokenSupplier, richInstallation } from '../../support/browser/every-page/rich-installation.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { run } from '../../support/program/operator.ts';
import { panelStage } from '../../support/program/panel-stage.ts';
import { settingsFor } from '../../support/servers/smtp.ts';

interface Action {
  readonly verb: string;
  readonly path: string;
  readonly signedIn: boolean;
  readonly keyless?: string;
}

const addressesOf = (actions: readonly Action[]) =>
  actions.flatMap(({ verb, path, signedIn, keyless }) => (verb === 'POST' && signedIn && !keyless ? [path] : []));

/** Which of the addresses no click reached. */
function missed(addresses: readonly string[], posted: DoubleClicks['posted']): string[] {
  const patterns = addresses.map((path) => ({ path, pattern: new Pattern(path) }));
  const reached = new Set(
    posted.map(({ path }) => patterns.find(({ pattern }) => pattern.match(segmentsOf(path)))?.path ?? path),
  );
  return addresses.filter((path) => !reached.has(path));
}

/**
 * A share that is due, a country picked from a list (`money-twice.test.ts`); a preview that comes first, a file or
 * an ICCID (`routes.test.ts`); a note that is there, something that needs a person (`desk.test.ts`); a passkey (`passkeys.test.ts`);
 * somebody to export or erase (`privacy.test.ts`); a partner with single sign-on, which needs an issuer (`test/entry/console/single-sign-on.test.ts`).
 */
const CLICKED_ELSEWHERE = [
  ...['pricing/rule/add', 'settle'],
  ...['route/set', 'route/auto', 'route/clear', 'stock/discard', 'stock/release'],
  'note/delete',
  ...['privacy/export', 'privacy/erase', 'sso/confirm', 'sso/require', 'sso/release'],
]
  .map((command) => `/operator/api/run/${command}`)
  .concat('/operator/api/catalog/import', '/operator/api/stock/import', '/operator/api/home/dismiss')
  .concat('/operator/api/passkeys', '/operator/api/passkeys/{id}/remove');

/** A view is saved from a menu (`views.test.ts`), which clicks on everything may open or not. */
const isOfViews = (address: string): boolean => address.startsWith('/operator/api/views');

/**
 * A view is saved from a menu (`views.test.ts`), a plan's retail price when its field is left (`insight.test.ts`); what becomes of an
 * invoice is rehearsed by the API alone; for a passkey, the browser needs an authenticator (`passkeys.test.ts`), and for single sign-on an
 * issuer (`test/entry/panel/single-sign-on.test.ts`). Rows are chosen before they are changed together (`orders.test.ts`, `buying.test.ts`).
 */
const PANEL_ELSEWHERE = [
  ...['/api/sso', '/api/sso/remove', '/api/sso/require', '/api/passkeys', '/api/passkeys/{id}/remove'],
  ...['/api/views', '/api/views/{id}', '/api/views/{id}/delete', '/api/retail/plan'],
  ...[
    '/api/{mode}/orders/cancel',
    '/api/{mode}/orders/refund',
    '/api/{mode}/esims/suspend',
    '/api/{mode}/esims/resume',
  ],
  '/api/{mode}/v3/sandbox/invoice',
];

test('every action of panel and console, clicked twice at once, is sent once and with a key', {
  skip: noBrowser,
}, async (t) => {
  await using stage = await panelStage({ config: { ...(await brokenSupplier()), mail: settingsFor(9) } });
  const rich = await richInstallation(stage);
  const { partnerId, sandbox, live, stuck, planId, others } = rich;
  const { db, vault } = stage.t.base;
  const operate = (line: string) => run(stage.t.operator(), line);
  await operate(`member invite --partner ${partnerId} --email colleague@example.com --role finance`);
  await operate(`webhook rotate ${sandbox.holding}`);
  await operate(`sandbox clock advance --partner ${partnerId} --by 1m`);
  await stage.t.post('/account/topup', { amount: '50.00' }, { key: stage.demo.sandboxKey });
  await operate(`wallet adjust --partner ${others[0]} --add 50.00 --debt --note owed`);
  await operate('incident write --title Slow --text Looking --impact minor --parts api');
  await operate('pricing rule add --scope provider --target aurora --share 30');
  const { body: waiting } = await stage.t.post(
    '/purchase/buy',
    { product_id: stage.demo.productId, sandbox_scenario: 'deferred' },
    { key: stage.demo.sandboxKey },
  );
  /** A new eSIM, of which nothing is known yet. */
  const newEsim = async (): Promise<{ iccid: string }> => {
    const { body } = await stage.t.post(
      '/purchase/buy',
      { product_id: stage.demo.productId },
      { key: stage.demo.sandboxKey },
    );
    return (await stage.t.get(`/order/detail/${body.order_id}`, { key: stage.demo.sandboxKey })).body.esim;
  };
  const [unused, suspended] = [await newEsim(), await newEsim()];
  await stage.t.post('/esim/suspend', { iccid: suspended.iccid }, { key: stage.demo.sandboxKey });
  // No reader delivers it.
  await db.run(sql`
    update sandbox.orders set provision_due_at = now() + interval '1 day' where id = ${String(waiting.order_id)}`);
  const kim = await stage.operate('admin');
  await db.tx(async (tx) => {
    const all = await tx.query<{ id: number }>(sql`select id from staff`);
    for (const { id } of all) await operatorAccess.sessions.open(tx, id, stage.t.clock.now());
    const sealed = vault.seal('never asked for');
    await operators.create(tx, { email: 'lee@example.com', role: 'support' }, stage.t.clock.now());
    await tx.run(sql`
      insert into staff_second_factors (operator_id, secret, on_since)
      select id, ${sealed}, ${new Date(stage.t.clock.now())} from staff where email = 'lee@example.com'`);
  });
  const email = 'ana@example.com';
  const ana = await stage.enter(partnerId, 'owner', email);
  await db.tx(async (tx) => {
    const { id } = await tx.one<{ id: number }>(sql`select id from members where email = ${email}`);
    await memberAccess.sessions.open(tx, id, stage.t.clock.now());
  });

  const now = stage.t.clock.now();
  const newcomer = await db.tx((tx) =>
    createPartner(tx, { name: 'Newcomer', email: 'nia@example.com', isLive: false }, new Date(now)),
  );
  const wish = { partnerId: newcomer, email: 'nia@example.com', company: 'Newcomer' };
  const details = { address: 'Road 1', country: 'BS', taxNumber: '1', volume: '10', use: 'shop' };
  const application = () => db.tx((tx) => askForLive(tx, { ...wish, details }, now));

  await t.test('the panel', async () => {
    const clicks = await startDoubleClicks(ana, `${stage.url}/settings`);
    for (const address of [
      '/settings',
      '/security',
      '/keys',
      '/traveller-page',
      '/retail',
      '/sandbox/tools',
      '/sandbox/money',
      '/live/money',
      '/live/invoices',
      `/sandbox/orders/${sandbox.delivered}`,
      `/sandbox/orders/${sandbox.used}`,
      `/sandbox/orders/${waiting.order_id}`,
      `/live/help/${live.help}`,
      `/sandbox/esims/${unused.iccid}`,
      `/sandbox/esims/${suspended.iccid}`,
      '/sandbox/webhooks',
      `/sandbox/catalog?search=${planId}`,
      `/sandbox/webhooks/${sandbox.working}`,
      `/sandbox/webhooks/${sandbox.holding}`,
      `/sandbox/webhooks/${sandbox.working}?delivery=${sandbox.deliveryId}`,
      '/reference/purchase_buy',
      '/accounts?next=/',
    ])
      await clicks.visit(address);
    await db.run(sql`
      insert into second_factors (person_id, secret, on_since)
      select person_id, ${vault.seal('never asked for')}, ${new Date(stage.t.clock.now())} from members where email = ${email}
      on conflict (person_id) do update set on_since = excluded.on_since`);
    await clicks.page.reload();
    await clicks.page.getByRole('heading', { level: 1 }).first().waitFor();
    await clicks.visit('/security');
    // Somebody who has no live yet asks for it, and answers what the operator wants to know.
    const asking = await startDoubleClicks(
      await stage.enter(newcomer, 'owner', 'nia@example.com'),
      `${stage.url}/settings`,
    );
    await asking.visit('/go-live');
    const { applicationId } = await application();
    await db.tx((tx) => moveApplication(tx, applicationId, { status: 'asked', question: 'Where do you sell?' }, now));
    await asking.page.reload();
    await asking.page.getByRole('heading', { level: 1 }).first().waitFor();
    await asking.visit('/go-live');
    await db.tx((tx) => moveApplication(tx, applicationId, { status: 'rejected', decidedBy: 'kim' }, now));
    assert.deepEqual([...clicks.faults, ...asking.faults], []);
    const own = addressesOf([
      ...panelActions(stage.t.base, {} as Services),
      ...tryActions({} as AnswerParts),
      ...purchaseActions({} as AnswerParts),
      ...severalActions({} as AnswerParts),
    ]);
    const v3 = endpoints.filter(({ path, verb }) => verb === 'POST' && path in v3Permissions);
    assert.deepEqual(
      missed([...own, ...v3.map(({ path }) => `/api/{mode}/v3${path}`)], [...clicks.posted, ...asking.posted]),
      PANEL_ELSEWHERE,
    );
  });

  await t.test('the console', async () => {
    const clicks = await startDoubleClicks(kim, `${stage.url}/operator`);
    for (const key of ['first', 'second', 'third'])
      await db.tx((tx) =>
        proposals.add(
          tx,
          vault,
          {
            ...{ operatorId: 999_999, who: 'operator:other@example.com', key },
            ...{
              action: 'wallet credit',
              input: { partner: String(partnerId), amount: '7.00' },
              amount: toCents(700n),
            },
            ...{ partnerId, words: 'Credit 7.00 USD', terms: {} },
          },
          stage.t.clock.now(),
        ),
      );
    for (const address of [
      '/settings',
      '/security',
      '/staff',
      `/orders/${stuck}`,
      `/orders/${live.delivered}`,
      `/orders/${sandbox.delivered}?mode=sandbox`,
      `/orders/${sandbox.used}?mode=sandbox`,
      '/refunds?mode=sandbox',
      '/replacements?mode=sandbox',
      '/webhooks?mode=sandbox',
      '/partners',
      `/partners/${partnerId}`,
      `/partners/${partnerId}?tab=money`,
      `/invoices/${live.invoice}`,
      `/partners/${partnerId}?tab=keys`,
      `/partners/${partnerId}?tab=members`,
      `/partners/${partnerId}?tab=webhooks`,
      `/partners/${partnerId}?tab=sandbox`,
      `/partners/${others[0]}?tab=money`,
      `/partners/${await stage.t.partner({ isLive: false })}`,
      '/prices',
      '/prices?tab=shares',
      '/catalog?tab=imports',
      `/catalog/${planId}`,
      '/suppliers',
      '/incidents',
      '/proposals',
      `/applications/${(await application()).applicationId}`,
      '/money',
      '/money?tab=settlement',
      '/money?tab=cards',
      '/system',
    ])
      await clicks.visit(`/operator${address}`);
    await db.run(sql`
      insert into staff_second_factors (operator_id, secret, on_since)
      select id, ${vault.seal('never asked for')}, ${new Date(stage.t.clock.now())} from staff
      on conflict (operator_id) do update set on_since = excluded.on_since`);
    await clicks.page.reload();
    await clicks.page.getByRole('heading', { level: 1 }).first().waitFor();
    await clicks.visit('/operator/security');
    assert.deepEqual(clicks.faults, []);
    const own = addressesOf(consoleActions(stage.t.base, {} as Services));
    const left = missed(own, clicks.posted).filter((address) => !isOfViews(address));
    assert.deepEqual(left.sort(), CLICKED_ELSEWHERE.toSorted());
  });
});
