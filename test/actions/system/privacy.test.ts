import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { raw, sql } from '../../../src/platform/db/query/sql.ts';
import { erase, type Subject } from '../../../src/platform/privacy/privacy.ts';
import { proveBoth } from '../../../src/worlds/books.ts';
import { eventually } from '../../support/eventually.ts';
import { type TestApp, testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit, pausedSubscription } from '../../support/sales/shop.ts';

let t: TestApp;
before(async () => {
  t = await testApp();
});
after(() => t[Symbol.asyncDispose]());

/** Every row of the database, as text. */
async function everything(): Promise<Map<string, string[]>> {
  const { db, worlds } = t.base;
  await worlds.live.requestLog.flush();
  await worlds.live.supplierLog.flush();
  const tables = await db.query<{ name: string }>(sql`
    select schemaname || '.' || tablename as name from pg_tables where schemaname in ('shared', 'live', 'sandbox') and tablename !~ '_by_day|_days_changed|processes|settings|_by_month|_figures'`);
  const found = new Map<string, string[]>();
  for (const { name } of tables) {
    const rows = await db.query<{ row: string }>(sql`select t::text as row from ${raw(name)} t order by 1`);
    found.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return found;
}
const having = async (text: string): Promise<string[]> =>
  [...(await everything())]
    .filter(([, rows]) => rows.some((row) => row.toLowerCase().includes(text.toLowerCase())))
    .map(([name]) => name);

let count = 0;
/** An account with a delivered order and what people left behind around it. */
async function story() {
  count += 1;
  const n = count;
  const [email, reference] = [`Anna.${n}@example.org`, `booking-${n}-x`];
  const partner = await t.partner({ email: `contact${n}@example.org`, name: `Company ${n}` });
  const key = await t.key(partner, 'live', { name: `server of ${n}` });
  const { alias } = await testPlan(t);
  await credit(t, partner, '500');
  await catalogKnows(t, alias);
  await pausedSubscription(t, partner, undefined, 'live');
  const { body } = await buy(t, key, alias, { reference, idempotency_key: `key-${n}` });
  assert.equal(body.delivery, 'delivered', JSON.stringify(body));
  const order = BigInt(body.order_id);
  const { iccid } = (await t.get(`/order/detail/${order}`, { key })).body.esim;
  await t.get(`/esim/detail/${iccid}`, { key });
  const live = t.base.worlds.live.db;
  const { seal } = t.base.vault;
  await live.run(
    sql`update webhook_deliveries set status = 'sent', response_body = ${`thanks for ${reference}`} where partner_id = ${partner}`,
  );
  await live.run(sql`
    insert into esim_profiles (order_id, partner_id, iccid, state, brand, model, country, seen_at, updated_at)
    values (${order}, ${partner}, ${iccid}, 'enabled', 'Pear', ${`Phone ${n}`}, 'FR', now(), now())
    on conflict (order_id) do update set brand = excluded.brand, model = excluded.model, country = excluded.country`);
  await live.run(sql`
    insert into help_requests (partner_id, order_id, iccid, n, form, language, step, facts, sealed, answer, created_at)
    values (${partner}, ${order}, ${iccid}, 1, ${`form-${n}`}, 'en', 'install', '{"country": "FR"}', ${seal(JSON.stringify({ email, message: `help ${n}` }))},
      ${seal(`answer ${n}`)}, now())`);
  await run(t.operator(), ['member', 'invite', '--partner', String(partner), '--email', email, '--role', 'support']);
  await run(t.operator(), [
    'note',
    'add',
    '--partner',
    String(partner),
    '--text',
    `${email} called about ${reference}`,
  ]);
  await eventually('the calls are logged', async () => {
    const { requests, calls } = await live.one<{ requests: number; calls: number }>(sql`
      select (select count(*)::int from request_log where partner_id = ${partner}) as requests,
        (select count(*)::int from supplier_calls where order_id = ${order}) as calls`);
    return requests >= 3 && calls > 0;
  });
  return { n, email, reference, partner, key, order, iccid };
}

const eraseWith = (subject: Subject) => erase(t.base, subject);
const proof = async () => (await proveBoth(t.base.url, () => {})).ok;
const command = (words: string) => run(t.operator(), words);

test('an export has everything stored about an eSIM, its activation data and no key, hash or password', async () => {
  const { order, iccid, reference, email } = await story();
  const { data, subject } = await command(`privacy export --iccid ${iccid}`);
  assert.deepEqual(subject, { kind: 'iccid', value: iccid });
  const [stored] = data['live.orders'];
  assert.deepEqual([stored.id, stored.reference, stored.activation.iccid], [Number(order), reference, iccid]);
  assert.match(stored.activation.activationCode, /^LPA:1\$/);
  const [help] = data['live.help_requests'];
  assert.deepEqual([help.sealed.email, help.answer], [email, `answer ${count}`]);
  for (const table of [
    'live.esim_profiles',
    'live.movements',
    'live.webhook_deliveries',
    'live.sold_iccids',
    'shared.audit_log',
  ])
    assert.ok(data[table]?.length > 0 || table === 'shared.audit_log', table);
  const all = JSON.stringify(await command(`privacy export --email ${email}`)) + JSON.stringify(data);
  assert.doesNotMatch(all, /\\\\x[0-9a-f]{8}|password|_hash|"hash"|"secret/);
  const { esim } = await t.base.db.one<{ esim: Buffer }>(
    sql`select sealed as esim from live.esim_keys where id = ${order}`,
  );
  assert.ok(!all.includes(esim.toString('hex')));
});

test('erasing an eSIM leaves its order, ledger and proofs, and nothing about the person', async () => {
  const { order, iccid, reference, key, n, email } = await story();
  const { erased, kept } = await command(`privacy erase --iccid ${iccid}`);
  for (const table of [
    'orders',
    'esim_keys',
    'help_requests',
    'esim_profiles',
    'request_log',
    'supplier_calls',
    'webhook_deliveries',
  ])
    assert.ok(erased[`live.${table}`] > 0, table);
  const why = Object.fromEntries(kept.map(({ table, why: reason }: { table: string; why: string }) => [table, reason]));
  assert.match(why['live.orders'], /tax law/);
  assert.match(why['live.movements'], /tax law/);
  assert.deepEqual(
    (await having(`booking-${n}`)).filter((name) => name !== 'shared.notes'),
    [],
  );
  assert.deepEqual(await having(`Phone ${n}`), []);
  const detail = (await t.get(`/order/detail/${order}`, { key })).body;
  assert.deepEqual([detail.order.reference, detail.esim.erased, detail.esim.activationCode], ['', true, '']);
  assert.deepEqual((await command(`privacy export --iccid ${iccid}`)).data['live.orders'][0].activation, null);
  const [help] = (await command(`privacy export --iccid ${iccid}`)).data['live.help_requests'];
  assert.deepEqual([help.sealed, help.answer], [{ email: '', message: '' }, null]);
  assert.ok(await proof());
  assert.ok((await having(email)).includes('shared.members'), 'a member of the account is somebody else');
  assert.notEqual(reference, '');
});

test('erasing by reference finds the order and what was bought for its eSIM', async () => {
  const { reference, n } = await story();
  const { erased } = await run(t.operator(), ['privacy', 'erase', '--reference', reference]);
  assert.equal(erased['live.orders'], 1);
  assert.deepEqual(
    (await having(`booking-${n}`)).filter((name) => name !== 'shared.notes'),
    [],
  );
});

test('erasing an address leaves it nowhere, however it was written', async () => {
  const { email } = await story();
  await command(`privacy export --email ${email}`);
  assert.ok((await having(email)).length > 1);
  const { erased } = await command(`privacy erase --email ${email.toUpperCase()}`);
  assert.ok(erased['live.help_requests'] === 1 && erased['shared.members'] === 1 && erased['shared.audit_log'] >= 1);
  assert.deepEqual(await having(email), []);
  assert.ok(await proof());
});

test('an address is not erased out of a longer one, and a text that is no address is refused', async () => {
  const own = 'lee@example.net';
  const others = ['annalee@example.net', 'lee@example.net.au', 'lee@example.network', 'x.lee@example.net'];
  for (const target of [own, ...others])
    await t.base.db.run(sql`
      insert into shared.audit_log (at, who, what, target) values (now(), 'operator', 'partner set', ${`of ${target}, twice: ${target}.`})`);
  await command(`privacy erase --email ${own}`);
  const left = await t.base.db.query<{ target: string }>(sql`
    select target from shared.audit_log where target like 'of %' order by id`);
  const [erased, ...kept] = left.map(({ target }) => target);
  assert.ok(!erased?.includes('lee'), erased);
  assert.deepEqual(
    kept,
    others.map((target) => `of ${target}, twice: ${target}.`),
  );
  for (const text of ['a', 'null', 'lee'])
    await assert.rejects(command(`privacy erase --email ${text}`), { code: 'invalid_email' });
});

test('an open account keeps its only owner and its contact, and says so', async () => {
  const partner = await t.partner({ email: 'owner@company.example' });
  await command(`member invite --partner ${partner} --email owner@company.example --role owner`);
  const { kept } = await command('privacy erase --email owner@company.example');
  const tables = kept.map(({ table }: { table: string }) => table);
  assert.ok(tables.includes('shared.members') && tables.includes('shared.partners'), tables.join());
});

test('an account is erased once it is closed: names, addresses and texts go, orders and the ledger stay', async () => {
  const { partner, email, n, order } = await story();
  await assert.rejects(command(`privacy erase --partner ${partner}`), /close it first/);
  await t.base.db.run(sql`update partners set deleted_at = now() where id = ${partner}`);
  await command(`privacy erase --partner ${partner}`);
  for (const text of [email, `contact${n}@`, `Company ${n}`, `server of ${n}`, `booking-${n}`, `help ${n}`])
    assert.deepEqual(await having(text), [], text);
  const { left } = await t.base.db.one<{ left: number }>(
    sql`select count(*)::int as left from live.movements where order_id = ${order}`,
  );
  assert.equal(left, 1);
  assert.ok(await proof());
});

const subjects = {
  iccid: ({ iccid }: Awaited<ReturnType<typeof story>>): Subject => ({ kind: 'iccid', value: iccid }),
  reference: ({ reference }: Awaited<ReturnType<typeof story>>): Subject => ({ kind: 'reference', value: reference }),
  email: ({ email }: Awaited<ReturnType<typeof story>>): Subject => ({ kind: 'email', value: email }),
  partner: ({ partner }: Awaited<ReturnType<typeof story>>): Subject => ({ kind: 'partner', id: partner }),
};
for (const [kind, subjectOf] of Object.entries(subjects))
  test(`killed after any step, the next run finishes what is left, and one more changes nothing: ${kind}`, async () => {
    let steps = 0;
    const whole = await story();
    await t.base.db.run(sql`update partners set deleted_at = now() where id = ${whole.partner}`);
    await erase(t.base, subjectOf(whole), () => void steps++);
    assert.ok(steps > 15);
    const one = await story();
    await t.base.db.run(sql`update partners set deleted_at = now() where id = ${one.partner}`);
    for (let last = 1; last < steps; last++) {
      let at = 0;
      const killed = erase(t.base, subjectOf(one), () => {
        at += 1;
        if (at === last) throw new Error('killed');
      });
      await assert.rejects(killed, /killed/);
    }
    await eraseWith(subjectOf(one));
    // The server writes its own counts and times of use meanwhile: what it wrote is in both pictures the next time.
    await eventually('one more run changes nothing', async () => {
      const before = await everything();
      assert.deepEqual((await eraseWith(subjectOf(one))).erased, {});
      return isDeepStrictEqual(await everything(), before);
    });
    const text =
      { email: one.email, partner: one.email, iccid: `booking-${one.n}`, reference: `booking-${one.n}` }[kind] ?? '';
    assert.deepEqual(
      (await having(text)).filter((name) => name !== 'shared.notes'),
      [],
    );
    assert.ok(await proof());
  });

test('exactly one subject is named', async () => {
  await assert.rejects(command('privacy export'), /exactly one of --iccid, --email, --reference and --partner/);
  await assert.rejects(command('privacy erase --partner 1 --iccid 8900'), /exactly one of/);
});

test('the audit log names what was erased by a signature only', async () => {
  const { email } = await story();
  await command(`privacy erase --email ${email}`);
  const [entry] = await t.base.db.query<{ target: string }>(sql`
    select target from audit_log where what = 'privacy erase' order by id desc limit 1`);
  assert.match(entry?.target ?? '', /^email [0-9a-f]{12}$/);
});
