import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { latestKeys } from '../../../../src/domains/partners/keys/keys.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { explaining } from '../../../support/database/explain.ts';
import { eventually } from '../../../support/eventually.ts';
import { record, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { signedIn, someEmail } from '../../../support/program/panel.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const statusWith = async (key: string) => (await t.get('/account/balance', { key })).status;

test('a new key is shown once and works on the API; afterwards only its mask is', async () => {
  const email = someEmail();
  const ana = await signedIn(t, await t.partner(), email);
  const { status, body } = await ana.post('/api/keys', { mode: 'sandbox', allow_list: '' });
  assert.equal(status, 200);
  assert.match(body.secret, /^esk_test_[0-9a-f]{40}$/);
  const { id, created_at, ...rest } = body.key;
  assert.deepEqual(rest, {
    mode: 'sandbox',
    name: '',
    note: '',
    mask: `esk_test_…${body.secret.slice(-4)}`,
    allow_list: [],
    permissions: null,
    client_id: null,
    limits: [],
    limits_text: '',
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
    refused_address: null,
    refused_at: null,
  });
  assert.match(created_at, /Z$/);
  assert.equal(await statusWith(body.secret), 200);
  const listed = await ana.get('/api/keys');
  assert.ok(!listed.text.includes(body.secret.slice(9, 20)));
  assert.equal(listed.body.keys[0].id, id);
  const entry = await t.base.db.one<{ who: string; what: string; text: string }>(
    sql`select who, what, a::text as text from audit_log a where target = ${`key ${id}`}`,
  );
  assert.deepEqual([entry.who, entry.what], [`member:${email}`, 'key create']);
  assert.ok(!entry.text.includes(body.secret));
});

test('a key with Airalo credentials shows them once, and only where the door for such software is open', async () => {
  const ana = await signedIn(t, await t.partner());
  const wanted = { mode: 'sandbox', allow_list: '', airalo: true };
  const refused = await ana.post('/api/keys', wanted);
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'airalo_door_off']);
  assert.deepEqual((await ana.get('/api/keys')).body, { keys: [], airalo_door: false });

  await using open = await testApp({ config: { airaloDoor: true } });
  const eve = await signedIn(open, await open.partner());
  const { body } = await eve.post('/api/keys', wanted);
  const { client_id, client_secret } = body.client;
  record('secrets', `${client_secret}\n`);
  assert.match(client_secret, /^wfa_[0-9a-f]{40}$/);
  assert.equal(body.key.client_id, client_id);
  const listed = await eve.get('/api/keys');
  assert.deepEqual([listed.body.airalo_door, listed.body.keys[0].client_id], [true, client_id]);
  assert.ok(!listed.text.includes(client_secret));
  const entries = await open.base.db.query<{ text: string }>(sql`select a::text as text from audit_log a`);
  assert.ok(!JSON.stringify(entries).includes(client_secret));
  assert.equal((await eve.post('/api/keys', { ...wanted, airalo: false })).body.client, null);
});

test('a restricted key: its permissions are in the list, the activity and the request log, and none chosen is refused', async () => {
  const partner = await t.partner();
  const ana = await signedIn(t, partner);
  const create = (permissions: string[]) =>
    ana.post('/api/keys', { mode: 'sandbox', allow_list: '', name: 'Webhooks', permissions });
  for (const wrong of [[], ['write'], ['read', 'x']]) {
    const { status, body } = await create(wrong);
    assert.deepEqual([status, body.error.code], [400, 'invalid_permissions'], wrong.join());
  }
  const { key, secret } = (await create(['webhooks', 'read', 'read'])).body;
  assert.deepEqual(key.permissions, ['read', 'webhooks']);
  assert.deepEqual((await ana.get('/api/keys')).body.keys[0].permissions, ['read', 'webhooks']);
  assert.equal((await t.post('/purchase/buy', '', { key: secret })).body.error, 'key_not_permitted');
  await t.base.worlds.sandbox.requestLog.flush();
  const [call] = (await ana.get('/api/sandbox/requests')).body.requests;
  assert.deepEqual([call.error, call.key.permissions], ['key_not_permitted', ['read', 'webhooks']]);

  const made = await t.post('/webhook/create', { url: 'https://93.184.215.14/hook' }, { key: secret });
  record('secrets', `${made.body.secret}\n`);
  const { entries } = (await ana.get('/api/activity')).body;
  assert.deepEqual(
    entries.slice(0, 2).map(({ kind, by }: { kind: string; by: string }) => [kind, by?.replace(/@.*/, '@')]),
    [
      ['webhook create', `API key Webhooks (${key.mask})`],
      ['key create', entries[1].by.replace(/@.*/, '@')],
    ],
  );
  const chosen = entries[1].changes.find(({ field }: { field: string }) => field === 'permissions');
  assert.deepEqual(chosen, { field: 'permissions', label: 'May only', before: null, after: 'read, webhooks' });
});

test('keys are listed newest first, the revoked among them; two sandbox keys and five live ones are the most', async () => {
  const ana = await signedIn(t, await t.partner());
  const create = async (mode: string) => (await ana.post('/api/keys', { mode, allow_list: '' })).body;
  const made = [];
  for (const mode of ['sandbox', 'sandbox', 'live', 'live', 'live', 'live', 'live'])
    made.push((await create(mode)).key.id);
  for (const mode of ['sandbox', 'live']) assert.equal((await create(mode)).error.code, 'key_limit_reached');
  const refused = await ana.post('/api/keys', { mode: 'live', allow_list: '' });
  assert.equal(refused.status, 409);
  await ana.post(`/api/keys/${made[0]}/revoke`);
  assert.equal((await create('sandbox')).key.mode, 'sandbox');
  const { keys } = (await ana.get('/api/keys')).body;
  assert.deepEqual(
    keys.slice(1).map((key: { id: number }) => key.id),
    made.toReversed(),
  );
  assert.notEqual(keys.at(-1).revoked_at, null);
});

test('however many keys were revoked, the list is short: the active ones and the latest of the others', async () => {
  const partner = await t.partner();
  const ana = await signedIn(t, partner);
  const first = (await ana.post('/api/keys', { mode: 'live', allow_list: '' })).body.key.id;
  await t.base.db.run(sql`
    insert into api_keys (partner_id, mode, hash, last4, revoked_at)
    select ${partner}, 'live', sha256(('many ' || n)::bytea), 'many', now() from generate_series(1, 20000) as n`);
  const { keys } = (await ana.get('/api/keys')).body;
  assert.deepEqual([keys.length, keys.at(-1).id], [101, first]);
  assert.equal(keys[0].id, first + 20_000);
  await t.base.db.run(sql`analyze api_keys`);
  const { db, plans } = explaining(t.base.db);
  await latestKeys(db, partner);
  assert.match(plans.join(), /Limit.*\n.*Index Scan/);
  assert.doesNotMatch(plans.join(), /Seq Scan/);
});

test('an allow-list, separated by commas or lines, takes effect and shows who was refused; a bad one changes nothing', async () => {
  const ana = await signedIn(t, await t.partner());
  const { key, secret } = (await ana.post('/api/keys', { mode: 'live', allow_list: '' })).body;
  assert.equal(await statusWith(secret), 200);
  const set = (allow_list: string) => ana.post(`/api/keys/${key.id}`, { allow_list });
  assert.deepEqual((await set('192.0.2.1, 10.0.0.0/8\n2001:db8::/32\n')).body.key.allow_list, [
    '192.0.2.1',
    '10.0.0.0/8',
    '2001:db8::/32',
  ]);
  await eventually('the list counts', async () => (await statusWith(secret)) === 403);
  const shown = await eventually('the refusal is recorded', async () => {
    const [one] = (await ana.get('/api/keys')).body.keys;
    return one.refused_at === null ? undefined : one;
  });
  assert.equal(shown.refused_address, '127.0.0.1');
  for (const entry of ['nonsense', '192.0.2.1%\u001b[2J', '192.0.2.0%anything/24', '192.0.2.0/33', 'fe80::1%eth0']) {
    const bad = await set(`192.0.2.1, ${entry}`);
    assert.deepEqual([bad.status, bad.body.error.code], [400, 'invalid_allow_list']);
    assert.equal(bad.body.error.message, `"${entry}" is not an address or CIDR block.`);
  }
  assert.equal((await ana.get('/api/keys')).body.keys[0].allow_list.length, 3);
  await set('');
  await eventually('the restriction is gone', async () => (await statusWith(secret)) === 200);
});

test('what may be spent with a key is set as a whole, and the list has its use; anything else changes nothing', async () => {
  const ana = await signedIn(t, await t.partner());
  const { key } = (await ana.post('/api/keys', { mode: 'live', allow_list: '' })).body;
  assert.deepEqual([key.limits, key.limits_text], [[], '']);
  const set = (limits: string) => ana.post(`/api/keys/${key.id}`, { limits });
  for (const [typed, shown] of [
    [' day=50 ', 'day=50.00'],
    ['month=200.5, hour=20x', 'month=200.50, hour=20x'],
  ] as const)
    assert.equal((await set(typed)).body.key.limits_text, shown);
  for (const bad of ['0', 'day=-1', 'week=5', '50/day', 'order=2x', 'day=1.234'])
    assert.deepEqual([(await set(bad)).status, (await set(bad)).body.error.code], [400, 'invalid_limit'], bad);
  const [listed] = (await ana.get('/api/keys')).body.keys;
  assert.deepEqual(
    listed.limits.map(({ per, amount, count, used_amount, used_count }: Record<string, unknown>) => [
      per,
      amount,
      count,
      used_amount,
      used_count,
    ]),
    [
      ['month', 200.5, null, 0, 0],
      ['hour', null, 20, 0, 0],
    ],
  );
  assert.deepEqual((await set('')).body.key.limits, []);
});

test('a revoked key is refused by the API and stays in the list', async () => {
  const ana = await signedIn(t, await t.partner());
  const { key, secret } = (await ana.post('/api/keys', { mode: 'sandbox', allow_list: '' })).body;
  assert.equal(await statusWith(secret), 200);
  const { revoked_at } = (await ana.post(`/api/keys/${key.id}/revoke`)).body.key;
  assert.notEqual(revoked_at, null);
  await eventually('the key is over', async () => (await statusWith(secret)) === 401);
  assert.equal((await ana.post(`/api/keys/${key.id}/revoke`)).body.key.revoked_at, revoked_at);
  assert.equal((await ana.post(`/api/keys/${key.id}`, { allow_list: '' })).body.error.code, 'key_not_found');
});

test("another partner's key is answered as one that does not exist, and nothing happens to it", async () => {
  const [ana, other] = [await signedIn(t, await t.partner()), await t.partner()];
  const { key_id, key } = await run(t.operator(), `key create --partner ${other} --mode live`);
  const before = await run(t.operator(), `key show ${key_id}`);
  for (const [path, body] of [
    ['', { allow_list: '192.0.2.1' }],
    ['/revoke', {}],
  ] as const) {
    const [foreign, missing] = [
      await ana.post(`/api/keys/${key_id}${path}`, body),
      await ana.post(`/api/keys/99999${path}`, body),
    ];
    assert.deepEqual([foreign.status, foreign.text], [404, missing.text]);
    assert.equal(foreign.body.error.code, 'key_not_found');
  }
  assert.deepEqual(await run(t.operator(), `key show ${key_id}`), before);
  assert.deepEqual((await ana.get('/api/keys')).body.keys, []);
  assert.equal(await statusWith(key), 200);
});
