import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { memberRoles } from '../../../src/domains/partners/people/people.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { testApp } from '../../support/program/app.ts';
import { signedInOperator } from '../../support/program/console.ts';
import { run } from '../../support/program/operator.ts';
import { type Browser, browser, signedIn, signedInAs } from '../../support/program/panel.ts';

const t = await testApp({ demo: true });
after(() => t[Symbol.asyncDispose]());
const { db, vault } = t.base;
const ask = (who: Browser, headers: Record<string, string> = {}) =>
  who.post('/api/sandbox/sample-key', {}, { headers });
const shown = async (who: Browser): Promise<string | null> => (await ask(who)).body.key;
const create = async (who: Browser, more: object = {}) => {
  const { status, body } = await who.post('/api/keys', { mode: 'sandbox', allow_list: '', ...more });
  assert.equal(status, 200);
  return { key: body.secret as string, id: body.key.id as number };
};
const kept = async (keyId: number) =>
  (await db.one<{ sealed: Buffer | null }>(sql`select sealed from api_keys where id = ${keyId}`)).sealed;

test('samples get the newest sandbox key that works for all of them: active, not restricted, from every address', async () => {
  const ana = await signedIn(t, await t.partner());
  await create(ana, { mode: 'live' });
  assert.equal(await shown(ana), null);
  const first = await create(ana, { name: 'First' });
  const { plan_id, ...sample } = (await ask(ana)).body;
  assert.deepEqual(sample, { key: first.key, name: 'First' });
  assert.equal((await t.get(`/catalog/product/${plan_id}`, { key: first.key })).status, 200, 'a plan of this catalog');
  const second = await create(ana);
  assert.equal(await shown(ana), second.key);
  await ana.post(`/api/keys/${second.id}`, { allow_list: '192.0.2.1' });
  assert.equal(await shown(ana), first.key);
  await ana.post(`/api/keys/${second.id}/revoke`);
  await create(ana, { permissions: ['read'] });
  assert.equal(await shown(ana), first.key);
  await db.run(sql`update api_keys set expires_at = ${new Date(t.clock.now() - 1)} where id = ${first.id}`);
  assert.equal(await shown(ana), null);
});

test('the key is kept sealed until it is revoked; a live or restricted key is never kept, and the table refuses a live one', async () => {
  const ana = await signedIn(t, await t.partner());
  const sandbox = await create(ana);
  const sealed = await kept(sandbox.id);
  assert.ok(sealed && vault.open(sealed) === sandbox.key && !sealed.includes(sandbox.key.slice(9)));
  const live = await create(ana, { mode: 'live' });
  const restricted = await create(ana, { permissions: ['read'] });
  for (const { id } of [live, restricted]) assert.equal(await kept(id), null);
  await assert.rejects(db.run(sql`update api_keys set sealed = ${sealed} where id = ${live.id}`), /api_keys_sealed/);
  await ana.post(`/api/keys/${sandbox.id}/revoke`);
  assert.equal(await kept(sandbox.id), null);

  // However it is made: by the command line or the first start.
  const partner = await t.partner();
  const byCommand = (mode: string) => run(t.operator(), `key create --partner ${partner} --mode ${mode}`);
  const made = await byCommand('sandbox');
  assert.equal(await kept((await byCommand('live')).key_id), null);
  assert.equal(await shown(await signedIn(t, partner)), made.key);
  const { live: liveKept } = await db.one<{ live: bigint }>(sql`
    select count(*) as live from api_keys where mode = 'live' and sealed is not null`);
  assert.equal(liveKept, 0n);
});

test('only members who may make keys get it, on our own pages; strangers, other partners and viewing operators do not', async () => {
  const partner = await t.partner();
  const ana = await signedIn(t, partner);
  const { key } = await create(ana);
  for (const role of memberRoles.names) {
    const { status, text } = await ask(await signedInAs(t, partner, role));
    const may = memberRoles.may(role, 'develop');
    assert.deepEqual([role, status, text.includes(key)], [role, may ? 200 : 403, may]);
  }
  assert.equal((await ask(browser(t))).status, 401);
  assert.equal(await shown(await signedIn(t, await t.partner())), null);
  const view = Object.assign(browser(t), { cookie: (await signedInOperator(t, 'admin')).cookie });
  await view.post(`/operator/api/partners/${partner}/view`);
  assert.deepEqual([(await ask(view)).status, (await ask(view)).body.error.code], [403, 'view_only']);
  for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null', 'sec-fetch-site': 'same-site' }])
    assert.deepEqual((await ask(ana, headers)).body.error.code, 'cross_origin');
  assert.equal((await ana.get('/api/sandbox/sample-key')).status, 404);
  assert.match(String((await ask(ana)).headers['cache-control']), /no-store/);
  assert.ok(!t.logged.join().includes(key));
});

test('a key that was sealed with an old secret is sealed again when the secret is rotated', async () => {
  const { keyId } = await db.one<{ keyId: number }>(sql`
    select id as "keyId" from api_keys where sealed is not null and revoked_at is null order by id limit 1`);
  const key = vault.open((await kept(keyId)) ?? Buffer.alloc(0));
  const fresh = 'f'.repeat(64);
  await using both = await testApp({
    url: t.base.url,
    secret: fresh,
    config: { oldSecrets: [t.base.config.secret ?? ''] },
  });
  await run(both.operator(), 'secret rotate');
  await using alone = await testApp({ url: t.base.url, secret: fresh });
  assert.equal(alone.base.vault.open((await kept(keyId)) ?? Buffer.alloc(0)), key);
});
