import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { TSchema } from 'typebox';
import { Create } from 'typebox/value';
import { memberRoles, type Permission } from '../../../src/domains/partners/people/people.ts';
import type { Services } from '../../../src/entry/api/endpoint.ts';
import { endpoints } from '../../../src/entry/api/endpoints.ts';
import type { AnswerParts } from '../../../src/entry/api/gates/answer.ts';
import { panelActions } from '../../../src/entry/panel/api.ts';
import type { MemberAction } from '../../../src/entry/panel/member-action.ts';
import { purchaseActions } from '../../../src/entry/panel/orders/purchases.ts';
import { severalActions } from '../../../src/entry/panel/orders/several.ts';
import { v3Permissions } from '../../../src/entry/panel/v3-permissions.ts';
import { toCents } from '../../../src/platform/amounts/cents.ts';
import { DAY, MINUTE } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { type Answer, testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { type Browser, browser, signedIn, signedInAs } from '../../support/program/panel.ts';
import { SoftPasskey } from '../../support/program/passkeys.ts';
import { closeAll, invoicing, sell } from '../../support/sales/invoices.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { askForHelp } from '../../support/sales/shared-order.ts';
import { buy, catalogKnows, pausedSubscription } from '../../support/sales/shop.ts';

const t = await testApp({ config: { invoicing } });
after(() => t[Symbol.asyncDispose]());
const partner = await t.partner();

/** An address of the panel with what it asks for, whether it is the panel's own or an endpoint of the API. */
interface Address {
  readonly name: string;
  readonly verb: string;
  readonly may: Permission;
  ask(by: Browser, ids?: Readonly<Record<string, string>>, origin?: string): Promise<Answer>;
}

const NOWHERE = '999999999';
const FOREIGN = 'https://elsewhere.example';

/** The panel's own: parameters filled in, and the emptiest body that has the right form. */
function own({ verb, path, may, body }: MemberAction): Address {
  const ask: Address['ask'] = (by, ids = {}, origin) => {
    const filled = path
      .replace('{mode}', 'sandbox')
      .replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_, kind) => `${kind}/${ids[kind] ?? NOWHERE}`);
    const more = origin === undefined ? {} : { headers: { origin } };
    if (verb === 'GET') return by.get(filled, more);
    return by.post(filled, body === undefined ? {} : (Create(body as TSchema) as object), more);
  };
  return { name: `${verb} ${path}`, verb, may, ask };
}

const ofApi = ({ path, verb }: (typeof endpoints)[number]): Address => ({
  name: `${verb} /api/{mode}/v3${path}`,
  verb,
  may: v3Permissions[path]?.may ?? 'manage',
  ask: (by, _ids, origin) =>
    by.get(`/api/sandbox/v3${path}`, {
      ...(verb === 'POST' && { method: 'POST', body: '' }),
      headers: {
        ...(verb === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(origin !== undefined && { origin }),
      },
    }),
});

// Only listed here: none of them is handled.
const parts = {} as AnswerParts;
const actions = [...panelActions(t.base, {} as Services), ...purchaseActions(parts), ...severalActions(parts)].filter(
  (action) => action.signedIn,
);
/** What spends money, and what the panel has its own actions for. */
const closed = ['/purchase/buy', '/purchase/refill', '/purchase/batch', '/sandbox/clock'];
const open = endpoints.filter(
  ({ path, permission, isExtension }) => !closed.includes(path) && !(permission === 'webhooks' && isExtension),
);
const addresses: readonly Address[] = [...actions.map(own), ...open.map(ofApi)];
const codeOf = ({ body }: Answer): string | undefined => body?.error?.code ?? body?.error;

test('each endpoint of the API that members can use has its permission, and there are no others', () => {
  assert.deepEqual(Object.keys(v3Permissions).sort(), open.map(({ path }) => path).sort());
});

suite('every address of the panel', () => {
  for (const role of memberRoles.names)
    test(`as ${role}: what the role does not allow is one refusal, and the rest is not refused for it`, async () => {
      const refusals = new Set<string>();
      const ana = await signedInAs(t, partner, role);
      for (const address of addresses) {
        t.clock.advance(MINUTE);
        const answer = await address.ask(ana);
        const isForbidden = codeOf(answer) === 'role_forbids';
        assert.equal(isForbidden, !memberRoles.may(role, address.may), `${address.name} as ${role}: ${answer.text}`);
        assert.notEqual(answer.status, 500, `${address.name}: ${answer.text}`);
        if (isForbidden) refusals.add(`${answer.status} ${answer.text}`);
      }
      assert.equal(refusals.size, role === 'owner' ? 0 : 1);
      for (const refusal of refusals) assert.match(refusal, /^403 /);
    });

  test('as a stranger: 401, whatever is sent', async () => {
    for (const address of addresses) {
      const answer = await address.ask(browser(t));
      assert.deepEqual([answer.status, codeOf(answer)], [401, 'sign_in_required'], address.name);
    }
  });

  test('from another site: changes are refused, for every person signed in', async () => {
    const ana = await signedIn(t, partner);
    for (const address of addresses.filter(({ verb }) => verb === 'POST')) {
      const answer = await address.ask(ana, {}, FOREIGN);
      assert.deepEqual([answer.status, codeOf(answer)], [403, 'cross_origin'], address.name);
    }
  });

  test('as another partner: what is not theirs is answered as what does not exist, and stays as it was', async () => {
    const ids = await thingsOf(partner);
    const stranger = await signedIn(t, await t.partner());
    for (const { path } of actions)
      for (const [, kind = ''] of path.matchAll(/([\w-]+)\/\{(\w+)\}/g))
        if (kind !== 'api') assert.ok(kind in ids, `${path}: say in thingsOf() which id one of another partner has`);
    const before = await state();
    for (const address of addresses.filter(({ name }) => /[\w-]+\/\{(?!mode)\w+\}/.test(name))) {
      t.clock.advance(MINUTE);
      const [foreign, missing] = [await address.ask(stranger, ids), await address.ask(stranger)];
      assert.ok(foreign.status >= 400, `${address.name}: ${foreign.text}`);
      assert.deepEqual([foreign.status, foreign.text], [missing.status, missing.text], address.name);
    }
    assert.deepEqual(await state(), before);
  });
});

/** One of everything a partner can have, by the word before its id in an address. */
async function thingsOf(partnerId: number): Promise<Record<string, string>> {
  const { alias } = await testPlan(t);
  await catalogKnows(t, alias);
  const webhooks = String(await pausedSubscription(t, partnerId));
  const bought = await buy(t, await t.key(partnerId, 'sandbox'), alias);
  const [orders, requests] = [String(bought.body.id), String(bought.headers['x-request-id'])];
  await t.base.worlds.sandbox.requestLog.flush();
  const ana = await signedIn(t, partnerId);
  const { id: members } = (await ana.get('/api/me')).body.member;
  const sessions = (await ana.get('/api/sessions')).body.sessions[0].id;
  const { keys } = await t.base.db.one<{ keys: number }>(sql`
    select max(id) as keys from api_keys where partner_id = ${partnerId}`);
  const { deliveries } = await t.base.worlds.sandbox.db.one<{ deliveries: bigint }>(sql`
    select max(id) as deliveries from webhook_deliveries`);
  const started = await t.base.worlds.live.topups.start(partnerId, toCents(50_00n), t.clock.now());
  const topups = started.outcome === 'opened' ? started.paymentKey : '';
  // Every account has past months; no account has a future one.
  const statements = '2199-01';
  await sell(t, partnerId, { price: 450n, at: new Date(t.clock.now() - 40 * DAY) });
  await closeAll(t);
  const [invoice] = await t.base.worlds.live.invoices.list({ partnerId, limit: 1 });
  assert.ok(invoice);
  const invoices = invoice.number;
  const view = { list: 'orders', name: 'Failed', filters: { status: 'failed' } };
  const views = String((await ana.post('/api/views', view)).body.id);
  const { options } = (await ana.post('/api/passkeys/start')).body;
  const made = { name: 'Phone', passkey: new SoftPasskey().create(options) };
  const passkeys = (await ana.post('/api/passkeys', made)).body.passkey.id;
  const help = String(await askForHelp(t, t.base.worlds.sandbox, BigInt(orders)));
  const more = {
    views,
    keys: String(keys),
    deliveries: String(deliveries),
    topups,
    statements,
    invoices,
    'help-requests': help,
  };
  return { webhooks, orders, requests, members, accounts: members, sessions, passkeys, ...more };
}

const state = () =>
  t.base.db.one<{ changes: number; members: number }>(sql`
    select (select count(*)::int from audit_log) as changes,
      (select count(*)::int from members where partner_id = ${partner}) as members`);

test('me says the role and what it allows', async () => {
  const { member } = (await (await signedInAs(t, partner, 'finance')).get('/api/me')).body;
  assert.deepEqual([member.role, member.may], ['finance', ['see', 'see-money', 'change', 'refund', 'spend']]);
});

test('support buys, refills, mails travellers and asks for refunds; keys, members and the balance are not theirs', async () => {
  const ana = await signedInAs(t, partner, 'support');
  const { member } = (await ana.get('/api/me')).body;
  assert.deepEqual(member.may, ['see', 'change', 'buy', 'refund']);
  const isRefused = (answer: Answer) => codeOf(answer) === 'role_forbids';
  const { alias } = await testPlan(t);
  await catalogKnows(t, alias);
  const { id: orderId } = (await buy(t, await t.key(partner, 'sandbox'), alias)).body;
  const detail = await ana.get(`/api/sandbox/v3/order/detail/${orderId}`);
  assert.equal(detail.status, 200);
  const refund = await ana.v3('sandbox', '/order/refund', { order_id: String(orderId) });
  assert.equal(refund.body.refund.status, 'refunded');
  for (const path of ['/api/keys', '/api/live/v3/account/balance', '/api/live/v3/account/statement'])
    assert.ok(isRefused(await ana.get(path)), path);
  const invited = await ana.post('/api/members', { email: 'x@example.com', role: 'support' });
  assert.ok(isRefused(invited));
  assert.ok(isRefused(await ana.post('/api/balance-alert', { level: '5' })));
});

test('an owner invites support staff, and so does the command line', async () => {
  const ana = await signedIn(t, partner);
  assert.equal((await ana.post('/api/members', { email: 'desk@example.com', role: 'support' })).status, 200);
  const { members } = (await ana.get('/api/members')).body;
  const { id } = members.find(({ email }: { email: string }) => email === 'desk@example.com');
  assert.equal((await run(t.operator(), `member set ${id} --role finance`)).role, 'finance');
  assert.equal((await run(t.operator(), `member set ${id} --role support`)).role, 'support');
});

test('a developer sees no amounts: not in the notices, and not the level of the balance alert', async () => {
  const poor = await t.partner();
  const [finance, developer] = [await signedInAs(t, poor, 'finance'), await signedInAs(t, poor, 'developer')];
  assert.equal((await finance.post('/api/balance-alert', { level: '50' })).status, 200);
  const told = async (by: Browser) => [
    (await by.get('/api/live/notices')).body.balance_low !== null,
    (await by.get('/api/me')).body.partner.balance_alert,
  ];
  assert.deepEqual(
    [await told(finance), await told(developer)],
    [
      [true, '50.00'],
      [false, null],
    ],
  );
});

test('a change of role counts from the next request on', async () => {
  const ana = await signedIn(t, partner);
  const { id } = (await ana.get('/api/me')).body.member;
  assert.equal((await ana.get('/api/keys')).status, 200);
  await t.base.db.run(sql`update members set role = 'finance' where id = ${id}`);
  assert.equal(codeOf(await ana.get('/api/keys')), 'role_forbids');
});
