import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createRegistry } from '../../../../src/domains/supply/accounts/registry.ts';
import type { Supplier } from '../../../../src/domains/supply/port/port.ts';
import { balancesJob, listSyncJob } from '../../../../src/domains/supply/supply.ts';
import { HOUR } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { accountKinds } from '../../../../src/platform/settings/supplier-fields.ts';
import { resealAll } from '../../../../src/platform/vault/secret-rotation.ts';
import { openVault } from '../../../../src/platform/vault/secrets.ts';
import { TestClock } from '../../../support/clock.ts';
import { testFolder } from '../../../support/database/folder.ts';
import { watchQueries } from '../../../support/database/queries.ts';
import { eventually } from '../../../support/eventually.ts';
import { testApp } from '../../../support/program/app.ts';
import { runAs, signedInOperator } from '../../../support/program/console.ts';
import { run } from '../../../support/program/operator.ts';
import { browser } from '../../../support/program/panel.ts';
import { buy, catalogKnows, credit } from '../../../support/sales/shop.ts';
import { fakeAiralo } from '../../../support/suppliers/fake-airalo.ts';

const clock = new TestClock();
const [first, second] = await Promise.all([fakeAiralo(clock), fakeAiralo(clock)]);
const secret = 'a'.repeat(64);
const nowhere = new URL('http://127.0.0.1:9/');
const t = await testApp({
  clock,
  secret,
  config: { zendit: { apiKey: 'k', url: nowhere, matchingIdField: 'activationCode' } },
});
const other = await t.another();
const folder = await testFolder(0o700);
after(async () => {
  await other[Symbol.asyncDispose]();
  await t[Symbol.asyncDispose]();
  await Promise.all([first, second, folder].map((one) => one[Symbol.asyncDispose]()));
});
const admin = await signedInOperator(t);

const settingsOf = ({ settings, url }: typeof first) => ({
  client_id: settings.clientId,
  client_secret: settings.clientSecret,
  url: url.href,
});
const secrets = [first, second].flatMap(({ settings }) => [settings.clientId, settings.clientSecret]);
const file = async (content: unknown) => {
  const path = join(folder.path, 'settings.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const add = async (slug: string, settings: unknown, { kind = 'airalo', title = 'Our Airalo' } = {}) =>
  run(t.operator(), ['supplier', 'add', slug, '--kind', kind, '--title', title, '--settings', await file(settings)]);
const listed = async (slug: string) =>
  (await run(t.operator(), 'supplier list')).find((one: { supplier: string }) => one.supplier === slug);
const testCall = (of = t) => run(of.operator(), 'supplier test --supplier airalo-eu');
const BALANCE = /balance/;

test('an account is added at the command line, and its plans are imported and sold without a restart', async () => {
  const added = await add('airalo-eu', settingsOf(first));
  assert.deepEqual(added.account.secrets_set, ['client_id', 'client_secret']);
  assert.deepEqual(added.account.settings, { url: first.url.href.replace(/\/$/, '') });
  const { configured, settings_from, plans, kind } = await listed('airalo-eu');
  assert.deepEqual([configured, settings_from, plans, kind], [true, 'database', 0, 'airalo']);
  assert.equal((await run(t.operator(), 'catalog import airalo-eu')).supplier, 'airalo-eu');
  assert.equal((await listed('airalo-eu')).title, 'Our Airalo', 'the list does not rename it');
  const partnerId = await t.partner();
  const key = await t.key(partnerId);
  await credit(t, partnerId, '50.00');
  const { alias } = await t.base.db.one<{ alias: string }>(sql`select alias from plans where supplier_plan = 'one-gb'`);
  await catalogKnows(t, alias);
  assert.equal((await buy(t, key, alias)).body.delivery, 'delivered');
  assert.equal(first.orders.length, 1);
});

test('credentials are sealed at rest, and in no answer, log line or audit entry', async () => {
  const shown = await run(t.operator(), 'supplier show airalo-eu');
  assert.deepEqual([shown.settings_from, shown.account.secrets_set], ['database', ['client_id', 'client_secret']]);
  const dump = await t.base.db.query<{ row: string }>(sql`
    select supplier_accounts::text as row from supplier_accounts union all select audit_log::text from audit_log
    union all select action_keys::text from action_keys`);
  const page = await admin.get('/operator/api/suppliers');
  const entries = await admin.get('/operator/api/audit?what=supplier+add');
  assert.equal(entries.body.entries.length, 1);
  const everything = [JSON.stringify(shown), ...dump.map(({ row }) => row), page.text, entries.text, ...t.logged].join(
    '\n',
  );
  for (const value of secrets) assert.ok(!everything.includes(value), 'a credential got out');
});

test('changed credentials are those of the next call, in the process that changed them and in every other', async () => {
  await testCall();
  await testCall(other);
  const before = first.timesCalled(BALANCE);
  await run(t.operator(), ['supplier', 'set', 'airalo-eu', '--settings', await file(settingsOf(second))]);
  assert.equal((await testCall()).ok, true);
  assert.equal(second.timesCalled(BALANCE), 1);
  await eventually('the other process has been notified', async () => {
    await testCall(other);
    return second.timesCalled(BALANCE) >= 2;
  });
  const reached = first.timesCalled(BALANCE);
  assert.ok(reached - before <= 3, 'only until it was notified');
  await testCall(other);
  assert.equal(first.timesCalled(BALANCE), reached);
});

test('a call to a supplier asks the database nothing about its account while nothing changes', async () => {
  const { suppliers } = t.base.worlds.live;
  // News of the changes before may come late; then the account is read once more.
  await eventually('it is the same without a look', async () => {
    const made = await suppliers.of('airalo-eu');
    using queries = watchQueries();
    const again = await suppliers.of('airalo-eu');
    return again === made && !queries.seen.some((text) => text.includes('supplier_accounts'));
  });
});

test('a change keeps what it does not name; null takes an optional setting away', async () => {
  const set = async (settings: unknown) =>
    run(t.operator(), ['supplier', 'set', 'airalo-eu', '--settings', await file(settings)]);
  assert.equal((await set({ calls_per_second: 4 })).account.settings.calls_per_second, '4');
  assert.equal((await testCall()).ok, true);
  const cleared = await run(t.operator(), 'supplier set airalo-eu --calls-per-second none');
  assert.deepEqual(Object.keys(cleared.account.settings), ['url']);
  assert.equal(
    (await run(t.operator(), 'supplier set airalo-eu --calls-per-second 5')).account.settings.calls_per_second,
    '5',
  );
  assert.equal((await run(t.operator(), ['supplier', 'set', 'airalo-eu', '--title', 'EU'])).title, 'EU');
  assert.equal((await listed('airalo-eu')).title, 'EU');
});

test('bad input is refused with one sentence that repeats no value, and nothing is changed', async () => {
  const state = () =>
    t.base.db.query(sql`
      select slug, title, md5(secrets::text) as secrets from supplier_accounts union all
      select slug, title, kind from suppliers order by 1, 3`);
  const before = await state();
  const good = settingsOf(first);
  const refused = async (asked: Promise<unknown>, code: string, sentence: RegExp) =>
    assert.rejects(asked, (error: Error & { code: string }) => {
      assert.deepEqual([error.code, sentence.test(error.message)], [code, true], error.message);
      assert.doesNotMatch(error.message, /SECRET/);
      return true;
    });
  await refused(
    add('x-1', { ...good, client_secret: 'SECRET with spaces' }),
    'invalid_settings',
    /^client_secret must be /,
  );
  await refused(add('x-1', { ...good, client_secret: undefined }), 'invalid_settings', /^client_secret is missing/);
  await refused(add('x-1', { ...good, token: 'SECRET' }), 'invalid_settings', /^“token” is not a setting of Airalo/);
  await refused(add('x-1', '{"client_id": "SECRET'), 'invalid_settings', /must be one JSON object$/);
  await refused(add('x-1', ['SECRET']), 'invalid_settings', /must be one JSON object$/);
  for (const url of ['http://api.example', 'https://u:SECRET@api.example', 'https://api.example/?k=SECRET', 'nowhere'])
    await refused(add('x-1', { ...good, url }), 'invalid_settings', /^url must be an https/);
  await refused(add('x-1', { ...good, calls_per_second: 0 }), 'invalid_settings', /whole number from 1 to 100/);
  await refused(add('X 1', good), 'invalid_supplier', /small letters/);
  await refused(add('zendit', good), 'invalid_supplier', /another kind/);
  await refused(add('x-1', good, { title: ' ' }), 'invalid_supplier', /^a title has/);
  await refused(add('airalo-eu', good), 'supplier_exists', /has an account already/);
  await refused(run(t.operator(), 'supplier set nobody --title x'), 'supplier_not_found', /./);
  await assert.rejects(run(t.operator(), 'supplier set airalo-eu --balance-alert much'), /is not a balance/);
  await assert.rejects(run(t.operator(), 'supplier add x-1 --kind stock --title T --settings -'), /not one of/);
  const missing = join(folder.path, 'nothing.json');
  await refused(
    run(t.operator(), `supplier add x-1 --kind airalo --title T --settings ${missing}`),
    'file_unreadable',
    /ENOENT/,
  );
  await refused(
    run(t.operator(), ['supplier', 'set', 'airalo-eu', '--off', '--settings', await file({ url: 'nowhere' })]),
    'invalid_settings',
    /^url must/,
  );
  assert.equal((await listed('airalo-eu')).off_since, null, 'nothing half done');
  assert.deepEqual(await state(), before);
});

test('stored credentials are never sent to another address: with a new one they must be given again', async () => {
  const given = { url: nowhere.href, client_id: 'c' };
  await assert.rejects(run(t.operator(), ['supplier', 'set', 'airalo-eu', '--settings', await file(given)]), {
    code: 'invalid_settings',
    message: 'with another url the credentials must be given again: client_secret',
  });
  await assert.rejects(run(t.operator(), ['supplier', 'set', 'airalo-eu', '--settings', await file({ url: null })]), {
    code: 'invalid_settings',
  });
  const same = { url: second.url.href };
  await run(t.operator(), ['supplier', 'set', 'airalo-eu', '--settings', await file(same)]);
});

test('an account of the environment is shown as such, and neither changed nor added to', async () => {
  const zendit = { api_key: 'k' };
  await assert.rejects(add('zendit', zendit, { kind: 'zendit' }), { code: 'supplier_in_environment' });
  await t.base.db.run(
    sql`insert into suppliers (slug, title, kind) values ('zendit', 'Z', 'zendit'), ('z-file', 'Z', 'zendit')`,
  );
  for (const slug of ['zendit', 'z-file']) {
    assert.equal((await listed(slug)).settings_from, 'environment');
    await assert.rejects(run(t.operator(), ['supplier', 'set', slug, '--title', 'x']), {
      code: 'supplier_in_environment',
      message: `the settings of ${slug} are in the environment of the server: change them there and restart it`,
    });
    await assert.rejects(add(slug, zendit, { kind: 'zendit' }), { code: 'supplier_in_environment' });
  }
  assert.equal((await run(t.operator(), 'supplier set zendit --balance-alert 5')).balance_alert, '5.000000');
  await add('zendit-2', zendit, { kind: 'zendit' });
  assert.equal((await listed('zendit-2')).settings_from, 'database', 'a second account of the same kind');
});

test('of two who add the same supplier at once, one does', async () => {
  const path = await file(settingsOf(first));
  const words = ['supplier', 'add', 'airalo-us', '--kind', 'airalo', '--title', 'US', '--settings', path];
  const both = await Promise.allSettled([run(t.operator(), words), run(other.operator(), words)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

test('lists and balances of accounts in the database are read by the jobs', async () => {
  const { db, worlds, supplierKinds, vault, log } = t.base;
  const parts = { db, suppliers: worlds.live.suppliers, kinds: supplierKinds, clock, log };
  const going = new AbortController().signal;
  await listSyncJob({ ...parts, sign: vault.sign, everyMs: HOUR }).run(going);
  assert.ok((await listed('airalo-us')).plans > 0);
  await eventually('its balance is read', async () => {
    clock.advance(HOUR);
    await balancesJob(parts).run(going);
    return (await listed('airalo-us')).balance === '1234.560000';
  });
});

test('a notification of an account in the database is verified with its secret, at once after a change', async () => {
  const body = JSON.stringify({ iccid: '8944500102198301234' });
  const told = (slug: string, clientSecret: string) =>
    t.ask(`/webhooks/airalo/${slug}`, {
      host: 'panel',
      method: 'POST',
      body,
      headers: { 'airalo-signature': createHmac('sha512', clientSecret).update(body).digest('hex') },
    });
  assert.equal((await told('airalo-us', first.settings.clientSecret)).status, 200);
  assert.equal((await told('airalo-us', second.settings.clientSecret)).status, 400);
  assert.equal((await t.ask('/webhooks/airalo/airalo-us', { host: 'panel', method: 'HEAD' })).status, 200);
  for (const slug of ['nobody', 'zendit-2', '']) assert.equal((await told(slug, '')).status, 404);
  await run(t.operator(), ['supplier', 'set', 'airalo-us', '--settings', await file({ client_secret: 'another' })]);
  assert.equal((await told('airalo-us', 'another')).status, 200);
});

test('an address of eSIM Access ends in the secret of its notifications, if it has one', async () => {
  const told = async (path: string) =>
    (await t.ask(`/webhooks/esim-access${path}`, { host: 'panel', method: 'POST', body: '{}' })).status;
  const plain = { access_code: 'a', secret: 's' };
  await add('ea-open', plain, { kind: 'esim_access' });
  await add('ea-closed', { ...plain, notify_secret: 'a-long-enough-secret' }, { kind: 'esim_access' });
  assert.deepEqual(
    await Promise.all(
      ['', '/ea-open', '/ea-open/x', '/ea-closed', '/ea-closed/wrong', '/ea-closed/a-long-enough-secret'].map(told),
    ),
    [404, 200, 404, 404, 404, 200],
  );
});

test('every kind has fields with names of their own, and secrets among them', () => {
  for (const [kind, { fields }] of Object.entries(accountKinds)) {
    assert.equal(new Set(fields.map(({ name }) => name)).size, fields.length, kind);
    assert.ok(
      fields.some(({ isSecret, isRequired }) => isSecret && isRequired),
      kind,
    );
    for (const { otherwise, pattern, name } of fields)
      if (otherwise) assert.match(otherwise, pattern, `${kind} ${name}`);
  }
});

test('a low balance is on the console’s home and below its metric, by the level of each supplier', async () => {
  const set = (level: string) => run(t.operator(), `supplier set airalo-us --balance-alert ${level}`);
  const isLow = async () => {
    const parts = await t.base.worlds.live.attention(t.clock.now());
    const alerts = parts.flatMap((part) => ('alerts' in part ? part.alerts : []));
    return alerts.some((one) => one.kind === 'low_balance' && 'of' in one && one.of === 'airalo-us');
  };
  assert.equal((await listed('airalo-us')).balance_alert, '100.000000');
  assert.equal(await isLow(), false);
  assert.equal((await set('2000.50')).balance_alert, '2000.500000');
  assert.equal(await isLow(), true);
  const metric = await eventually('the figures are read again', async () => {
    clock.advance(10_000);
    return /^wayfare_supplier_balance_alert_usd\{supplier="airalo-us"\} (.*)$/m.exec(await t.base.metrics.print())?.[1];
  });
  assert.equal(metric, '2000.5');
  assert.equal((await set('none')).balance_alert, null);
  assert.equal(await isLow(), false);
});

test('the console adds and changes accounts; who may not manage suppliers, a page of elsewhere and a stranger do not', async () => {
  const body = { supplier: 'airalo-console', kind: 'airalo', title: 'C', settings: settingsOf(first) };
  const [someAdmin, reader] = [await signedInOperator(t), await signedInOperator(t, 'read-only')];
  assert.equal((await reader.post('/operator/api/suppliers/add', body)).body.error.code, 'role_forbids');
  const elsewhere = { headers: { origin: 'https://evil.example' } };
  assert.equal((await someAdmin.post('/operator/api/suppliers/add', body, elsewhere)).status, 403);
  assert.equal((await browser(t).post('/operator/api/suppliers/add', body)).status, 401);
  assert.equal((await someAdmin.post('/operator/api/suppliers/add', body)).status, 200);
  const changed = await someAdmin.post('/operator/api/suppliers/account', {
    supplier: 'airalo-console',
    title: 'Renamed',
    settings: { calls_per_second: '3' },
  });
  assert.deepEqual(
    [changed.body.result.title, changed.body.result.account.settings.calls_per_second],
    ['Renamed', '3'],
  );
  const bad = await someAdmin.post('/operator/api/suppliers/account', {
    supplier: 'airalo-console',
    title: 'Renamed',
    settings: { client_id: null },
  });
  assert.deepEqual([bad.status, bad.body.error.code], [400, 'invalid_settings']);
  assert.equal(
    (await runAs(someAdmin, 'supplier set', { supplier: 'airalo-console', settings: '/etc/passwd' })).body.error.code,
    'invalid_input',
  );
  const { suppliers, kinds, processes } = (await reader.get('/operator/api/suppliers')).body;
  const view = suppliers.find((one: { supplier: string }) => one.supplier === 'airalo-console');
  assert.deepEqual([view.settings_from, view.configured_in], ['database', processes]);
  assert.deepEqual(Object.keys(view.account), ['settings', 'secrets_set', 'updated_at']);
  assert.deepEqual(
    kinds.map(({ kind }: { kind: string }) => kind),
    Object.keys(accountKinds),
  );
});

test('rotating the key that seals seals accounts again, and they go on working', async () => {
  const fresh = 'b'.repeat(64);
  assert.ok((await resealAll(t.base.db, openVault(fresh, [secret]))) > 0);
  await using after = await testApp({ clock, url: t.base.url, secret: fresh, config: { oldSecrets: [secret] } });
  assert.equal((await testCall(after)).ok, true);
  assert.equal(
    (
      await after.base.db.query(
        sql`select from supplier_accounts where substring(secrets from 1 for 4) <> ${openVault(fresh).keyId}`,
      )
    ).length,
    0,
  );
});

test('a supplier is made once for each version of its account, and the one before is retired', async () => {
  const [made, retired]: Supplier[][] = [[], []];
  const account = { slug: 'x', kind: 'airalo', title: 'X', settings: {}, secrets: Buffer.of(), updatedAt: new Date(0) };
  let version = '1';
  const own = {
    current: async () => new Map([['x', { ...account, version }]]),
    async open() {
      const supplier = { name: `x ${version}` } as Supplier;
      made?.push(supplier);
      return supplier;
    },
    retire: (supplier: Supplier) => void retired?.push(supplier),
  };
  const { of } = createRegistry(t.base.db, {}, t.base.log, [], own);
  assert.equal(await of('x'), await of('x'));
  version = '2';
  const [again, same] = await Promise.all([of('x'), of('x')]);
  assert.deepEqual([again, made?.length, again?.name], [same, 2, 'x 2']);
  assert.deepEqual(retired, made?.slice(0, 1));
});
