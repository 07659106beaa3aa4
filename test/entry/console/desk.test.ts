import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import type { SinceLastVisitView } from '../../../src/entry/console/home.ts';
import type { AuditEntryView } from '../../../src/entry/console/system/audit.ts';
import { changesByOthers } from '../../../src/platform/audit/audit-search.ts';
import { type AuditKind, sentences } from '../../../src/platform/audit/sentences.ts';
import { DAY, HOUR, MINUTE } from '../../../src/platform/clock.ts';
import type { Tx } from '../../../src/platform/db/database.ts';
import { raw, sql } from '../../../src/platform/db/query/sql.ts';
import { testApp } from '../../support/program/app.ts';
import { runAs, signedInOperator } from '../../support/program/console.ts';
import { run } from '../../support/program/operator.ts';
import { type Browser, signedIn } from '../../support/program/panel.ts';
import { refundShop, withdrawals } from '../../support/suppliers/withdrawals.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const { db, worlds } = t.base;
const shop = await refundShop(t);
await withdrawals(t, 'none');
const admin = await signedInOperator(t, 'admin', 'ana@desk.example');
const support = await signedInOperator(t, 'support', 'sam@desk.example');
const reader = await signedInOperator(t, 'read-only', 'rob@desk.example');
const cli = (line: string | readonly string[]) => run(t.operator(), line);

const requested = async (): Promise<string> => {
  const { id } = await shop.order(shop.live);
  await t.post('/order/refund', { order_id: id }, { key: shop.live });
  return id;
};
const balance = () => worlds.live.books.balance(shop.partnerId);
const entriesOf = async (id: string) =>
  (await db.query(sql`select from audit_log where target = ${`order ${id}`} and what like 'refund %'`)).length;
const together = (ids: readonly string[]) => ids.map((id) => `${id}=requested-0-0`).join(',');

suite('refunds decided together', () => {
  test('each has its own entry; what a colleague decided first is refused by name and stops no other', async () => {
    const [first, late, last] = [await requested(), await requested(), await requested()];
    assert.equal(
      (await runAs(admin, 'refund reject', { id: late, version: 'requested-0-0', note: 'used' })).status,
      200,
    );
    const had = await balance();
    const { status, body } = await runAs(admin, 'refund approve-many', { orders: together([first, late, last]) });
    assert.equal(status, 200);
    const { ok, refunded, decided, refused } = body.result;
    assert.deepEqual([ok, refunded], [false, '20.00']);
    assert.deepEqual(
      decided.map((one: { order_id: number }) => String(one.order_id)),
      [first, last],
    );
    assert.deepEqual([refused.length, String(refused[0].order_id), refused[0].code], [1, late, 'refund_changed']);
    assert.match(refused[0].why, /ana@desk\.example rejected it at/);
    assert.equal(await balance(), had + 2000n);
    assert.deepEqual([await entriesOf(first), await entriesOf(late), await entriesOf(last)], [1, 1, 1]);
  });

  test('stopped half-way, the same key goes on with the rest and decides nothing twice', async () => {
    const ids = [await requested(), await requested(), await requested()];
    const had = await balance();
    const { refunds } = worlds.live as { refunds: { approve: (tx: Tx, ...more: never[]) => Promise<unknown> } };
    const approve = refunds.approve;
    let calls = 0;
    refunds.approve = (...args) => {
      calls += 1;
      if (calls === 2) throw new Error('stopped');
      return approve(...args);
    };
    const headers = { 'idempotency-key': randomUUID() };
    const send = () =>
      admin.post('/operator/api/run/refund/approve-many', { input: { orders: together(ids) } }, { headers });
    assert.equal((await send()).status, 500);
    refunds.approve = approve;
    assert.equal(await balance(), had + 1000n);
    const answer = await send();
    assert.deepEqual([answer.status, answer.body.result.ok, answer.body.result.refunded], [200, true, '30.00']);
    assert.deepEqual((await send()).text, answer.text);
    assert.equal(await balance(), had + 3000n);
    for (const id of ids) assert.equal(await entriesOf(id), 1);
  });

  test('an order that does not exist, one named twice, no reason or no right: nothing is decided', async () => {
    const id = await requested();
    const codeOf = async (who: Browser, command: string, input: Record<string, string>) =>
      (await runAs(who, command, input)).body.error?.code;
    const reject = { note: 'used' };
    assert.deepEqual(
      [
        await codeOf(admin, 'refund approve-many', { orders: together([id, '999999']) }),
        await codeOf(admin, 'refund approve-many', { orders: together([id, id]) }),
        await codeOf(admin, 'refund reject-many', { orders: together([id]) }),
        await codeOf(admin, 'refund reject-many', { orders: 'all', ...reject }),
        await codeOf(support, 'refund reject-many', { orders: together([id]), ...reject }),
        await codeOf(reader, 'refund approve-many', { orders: together([id]) }),
      ],
      ['order_not_found', 'invalid_input', 'invalid_input', 'invalid_input', 'role_forbids', 'role_forbids'],
    );
    // As many as a page has, with their versions.
    const many = Array.from({ length: 100 }, (_, i) => String(90_000_000 + i));
    assert.equal(await codeOf(admin, 'refund approve-many', { orders: together(many) }), 'order_not_found');
    assert.equal(await codeOf(admin, 'refund approve-many', { orders: together([...many, id]) }), 'invalid_input');
    assert.equal(await codeOf(admin, 'refund approve-many', { orders: id, note: 'x'.repeat(1001) }), 'invalid_input');
    assert.equal((await worlds.live.refunds.read(BigInt(id)))?.status, 'requested');
    // Who names no version decides on nothing they saw.
    const { result } = (await runAs(admin, 'refund reject-many', { orders: id, ...reject })).body;
    assert.deepEqual([result.ok, result.refused[0].code], [false, 'invalid_input']);
    // At the command line it is optional.
    assert.equal((await cli(['refund', 'reject-many', id, '--note', 'used'])).ok, true);
  });
});

suite('replacements decided together', () => {
  const wanted = async (): Promise<string> => {
    const { id, iccid } = await shop.order(shop.live);
    await t.post('/esim/replace', { iccid, idempotency_key: `r-${id}` }, { key: shop.live });
    return id;
  };
  const entries = async (id: string) =>
    (await db.query(sql`select from audit_log where target = ${`order ${id}`} and what like 'replacement %'`)).length;
  const statusOf = async (id: string) => (await worlds.live.replacements.ofOrder(BigInt(id)))?.status;

  test('each has its own entry; what a colleague decided first is refused by name and stops no other', async () => {
    const ids = [await wanted(), await wanted(), await wanted()];
    const [first = '', late = '', last = ''] = ids;
    assert.equal((await runAs(admin, 'replacement reject', { id: late })).status, 200);
    const { body } = await runAs(admin, 'replacement reject-many', { orders: ids.join(',') });
    const { ok, decided, refused } = body.result;
    assert.deepEqual([ok, decided], [false, [first, last].map((id) => ({ order_id: Number(id), status: 'rejected' }))]);
    assert.deepEqual([refused.length, String(refused[0].order_id), refused[0].code], [1, late, 'replacement_decided']);
    for (const id of ids) assert.deepEqual([await entries(id), await statusOf(id)], [1, 'rejected']);
    const approved = (await runAs(admin, 'replacement approve-many', { orders: ids.join(',') })).body.result;
    assert.deepEqual([approved.ok, approved.decided.length], [true, 3]);
  });

  test('stopped half-way, the same key goes on with the rest and orders no eSIM twice', async () => {
    const ids = [await wanted(), await wanted(), await wanted()];
    const { replacements } = worlds.live as { replacements: { approve: (...given: never[]) => Promise<unknown> } };
    const approve = replacements.approve;
    let calls = 0;
    replacements.approve = (...args) => {
      calls += 1;
      if (calls === 2) throw new Error('stopped');
      return approve(...args);
    };
    const orders = async () => (await worlds.live.db.query(sql`select from orders`)).length;
    const had = await orders();
    const headers = { 'idempotency-key': randomUUID() };
    const input = { orders: ids.join(',') };
    const send = () => admin.post('/operator/api/run/replacement/approve-many', { input }, { headers });
    assert.equal((await send()).status, 500);
    replacements.approve = approve;
    assert.equal(await orders(), had + 1);
    const answer = await send();
    assert.deepEqual([answer.status, answer.body.result.ok], [200, true], answer.text);
    assert.deepEqual((await send()).text, answer.text);
    assert.equal(await orders(), had + 3);
    for (const id of ids) assert.equal(await entries(id), 1);
  });

  test('an order that does not exist, one named twice or no right: nothing is decided', async () => {
    const id = await wanted();
    const codeOf = async (who: Browser, command: string, orders: string) =>
      (await runAs(who, command, { orders })).body.error?.code;
    for (const command of ['replacement approve-many', 'replacement reject-many'])
      assert.deepEqual(
        [
          await codeOf(admin, command, `${id},999999`),
          await codeOf(admin, command, `${id},${id}`),
          await codeOf(admin, command, `${id}=requested`),
          await codeOf(support, command, id),
          await codeOf(reader, command, id),
        ],
        ['order_not_found', 'invalid_input', 'invalid_input', 'role_forbids', 'role_forbids'],
        command,
      );
    assert.equal(await statusOf(id), 'requested');
    // So that the changes of the other tests have room in the limit of this operator.
    t.clock.advance(2 * MINUTE);
  });
});

suite('notes', () => {
  test('operators see them with author and time; only the author or an admin deletes one', async () => {
    const { id } = await shop.order(shop.live);
    const shown = async (who: Browser) => (await who.get(`/operator/api/live/orders/${id}`)).body.notes;
    assert.equal((await runAs(reader, 'note add', { order: id, text: 'x' })).body.error.code, 'role_forbids');
    const written = await runAs(support, 'note add', { order: id, text: '  Called twice.\nNo answer. ' });
    assert.equal(written.status, 200, written.text);
    const [note] = await shown(reader);
    assert.deepEqual(
      [note.author, note.text, note.can_delete],
      ['sam@desk.example', 'Called twice.\nNo answer.', false],
    );
    assert.deepEqual([(await shown(support))[0].can_delete, (await shown(admin))[0].can_delete], [true, true]);
    const finance = await signedInOperator(t, 'finance');
    assert.equal((await runAs(finance, 'note delete', { id: note.id })).body.error.code, 'role_forbids');
    assert.equal((await runAs(support, 'note delete', { id: note.id })).status, 200);
    assert.equal((await runAs(support, 'note delete', { id: note.id })).body.error.code, 'note_not_found');
    assert.deepEqual(await shown(reader), []);
    const log = await db.query<{ what: string; text: string }>(sql`
      select what, before::text || after::text as text from audit_log where target = ${`order ${id}`} order by id`);
    assert.deepEqual(
      log.map(({ what }) => what),
      ['note add', 'note delete'],
    );
    assert.ok(!JSON.stringify(log).includes('Called'), 'the log says who, not what');
  });

  test('the command line writes and lists them, about an order or a partner, and never about nothing', async () => {
    const made = await cli(['note', 'add', '--partner', String(shop.partnerId), '--text', 'Pays late.']);
    assert.deepEqual(
      (await cli(`note list --partner ${shop.partnerId}`)).map((one: { text: string }) => one.text),
      ['Pays late.'],
    );
    const { partner } = (await admin.get(`/operator/api/partners/${shop.partnerId}`)).body;
    assert.deepEqual(
      partner.notes.map((one: { text: string }) => one.text),
      ['Pays late.'],
    );
    await assert.rejects(cli('note list'), /either --order or --partner/);
    await assert.rejects(cli('note add --order 999999 --text x'), { code: 'order_not_found' });
    await assert.rejects(cli(['note', 'add', '--partner', String(shop.partnerId), '--text', 'x'.repeat(1_001)]), {
      code: 'note_too_long',
    });
    assert.equal((await cli(`note delete ${made.note_id}`)).deleted, true);
  });

  test('no world can read them, and neither panel, activity, API, export nor webhook has one', async () => {
    const { id } = await shop.order(shop.live);
    const secret = 'Only operators know 7f3a';
    await cli(['note', 'add', '--order', id, '--text', secret]);
    await cli(['note', 'add', '--partner', String(shop.partnerId), '--text', secret]);
    for (const world of Object.values(worlds))
      await assert.rejects(world.db.query(sql`select from notes`), /permission denied/);
    const owner = await signedIn(t, shop.partnerId);
    const seen = await Promise.all([
      owner.get(`/api/live/orders/${id}`),
      owner.get('/api/activity'),
      owner.get('/api/live/orders.csv'),
      t.get(`/order/detail/${id}`, { key: shop.live }),
      t.get('/order/history', { key: shop.live }),
    ]);
    for (const { text } of seen) assert.ok(!text.includes('7f3a'));
    assert.doesNotMatch(seen[1]?.text ?? '', /note/);
    const sent = await worlds.live.db.query(sql`select to_jsonb(d)::text from webhook_deliveries as d`);
    assert.ok(!JSON.stringify(sent).includes('7f3a'));
  });
});

suite('the audit log in sentences', () => {
  const said = (entry: AuditEntryView): string => entry.sentence.map(({ text }) => text).join('');
  const latest = async (query: string): Promise<AuditEntryView> =>
    (await admin.get(`/operator/api/audit?${query}`)).body.entries[0];

  test('a changed credit line names who, whose, from and to, and needs no line below', async () => {
    const id = await t.partner({ name: 'Acme' });
    await cli(`partner set ${id} --billing postpaid --credit-limit 500`);
    await runAs(admin, 'partner set', { id: String(id), 'credit-limit': '1800' });
    const entry = await latest(`partner=${id}`);
    assert.equal(
      `${entry.by.name} ${said(entry)}`,
      'ana@desk.example raised the credit line of Acme from $500.00 to $1,800.00',
    );
    assert.deepEqual(entry.difference, []);
    assert.deepEqual(entry.sentence.find(({ of }) => of)?.of, { kind: 'partner', id });
    await runAs(admin, 'partner set', { id: String(id), suspended: 'true' });
    assert.equal(said(await latest(`partner=${id}`)), 'suspended Acme');
    await runAs(admin, 'partner set', { id: String(id), suspended: 'false', 'balance-alert': '20' });
    const both = await latest(`partner=${id}`);
    assert.equal(said(both), 'changed the terms of Acme');
    assert.deepEqual(both.difference, [
      { field: 'Suspended', before: 'yes', after: 'no' },
      { field: 'Balance alert', before: null, after: '$20.00' },
    ]);
  });

  test('money, roles and orders read as sentences, with links to what they are about', async () => {
    const id = await requested();
    await runAs(admin, 'refund approve', { id, amount: '4.00', note: 'Sorry', version: 'requested-0-0' });
    const refund = await latest(`target=order%20${id}`);
    assert.match(said(refund), new RegExp(`^approved the refund of order ${id}: \\$4\\.00 went back to .+: “Sorry”$`));
    assert.deepEqual(refund.sentence.find(({ of }) => of)?.of, { kind: 'order', id, mode: 'live' });
    assert.deepEqual(refund.difference, []);
    const { operator_id } = await cli('operator invite --email new@desk.example --role support');
    await runAs(admin, 'operator set', { id: String(operator_id), role: 'finance' });
    assert.equal(
      said(await latest(`target=operator%20${operator_id}`)),
      'changed the role of new@desk.example from support to finance',
    );
  });

  test('every kind has a sentence, also without its facts, and a kind of an earlier version is shown by its name', async () => {
    const facts = { partner: 'Acme', target: 'it', about: 'it', was: {}, is: {}, changed: [] };
    for (const kind of Object.keys(sentences) as AuditKind[]) {
      const { parts } = sentences[kind](facts);
      assert.match(parts.map((part) => (typeof part === 'string' ? part : part.text)).join(''), /^[a-z].* ./, kind);
    }
    await db.run(sql`insert into audit_log (who, what, target, at) values ('kim', 'tariff melt', 'tariff 1', now())`);
    assert.equal(said(await latest('what=tariff%20melt')), 'ran “tariff melt” on tariff 1');
  });

  test('by partner, together with a person or a kind; a name that no partner has is refused', async () => {
    const id = await t.partner({ name: 'Filtered Ltd' });
    await runAs(admin, 'partner set', { id: String(id), 'balance-alert': '5' });
    await runAs(support, 'note add', { partner: String(id), text: 'x' });
    const kinds = async (query: string) =>
      (await admin.get(`/operator/api/audit?${query}`)).body.entries.map(({ what }: AuditEntryView) => what);
    assert.deepEqual(
      await kinds(`partner=${id}`),
      ['note add', 'partner set', 'partner create'].slice(0, 2).concat(await rest(id)),
    );
    assert.deepEqual(await kinds('partner=Filtered&who=sam%40desk.example'), ['note add']);
    assert.deepEqual(await kinds(`partner=${id}&what=partner%20set`), ['partner set']);
    assert.equal((await admin.get('/operator/api/audit?partner=nobody')).body.error.code, 'invalid_partner');
  });
  /** What made the partner, if that is on record. */
  const rest = async (id: number) =>
    (
      await db.query<{ what: string }>(sql`
        select what from audit_log where partner_id = ${id} and what not in ('note add', 'partner set') order by id desc`)
    ).map(({ what }) => what);
});

suite('since an operator was last here', () => {
  const since = async (who: Browser): Promise<SinceLastVisitView> => (await who.get('/operator/api/home/since')).body;
  const back = async (email: string) => {
    const { id } = await db.one<{ id: number }>(sql`select id from staff where email = ${email}`);
    const token = await db.tx(async (tx) =>
      (await import('../../../src/domains/partners/people/people.ts')).operatorAccess.sessions.open(
        tx,
        id,
        t.clock.now(),
      ),
    );
    return Object.assign(await signedInOperator(t, 'read-only'), { cookie: `wayfare_operator=${token}` });
  };

  test('nothing at the first visit; afterwards what failed, what is asked for and what colleagues did, not they themselves', async () => {
    const first = await since(support);
    assert.deepEqual(first, { since: null, news: [], changes: [], has_more: false });
    t.clock.advance(29 * MINUTE);
    assert.equal((await since(support)).since, null, 'a short break is the same visit');
    const left = t.clock.now();
    t.clock.advance(2 * HOUR);
    const ana = await signedInOperator(t, 'admin', 'ana2@desk.example');
    const failed = (await shop.order(shop.live)).id;
    await worlds.live.db.run(sql`
      update orders set failed_at = ${new Date(t.clock.now())}, status = 2, delivery = 'failed' where id = ${failed}`);
    await requested();
    await runAs(ana, 'partner set', { id: String(shop.partnerId), 'balance-alert': '7' });
    // The log has the database's time, which no test turns.
    await db.run(sql`update audit_log set at = ${new Date(t.clock.now())} where who = 'operator:ana2@desk.example'`);
    t.clock.advance(MINUTE);
    const sam = await back('sam@desk.example');
    await runAs(sam, 'note add', { partner: String(shop.partnerId), text: 'mine' });
    const seen = await since(sam);
    assert.ok(Math.abs(Date.parse(seen.since ?? '') - left) < MINUTE, `${seen.since}`);
    assert.deepEqual(
      seen.news.map(({ kind, count }) => [kind, count]),
      [
        ['failed_orders', 1],
        ['refund_requests', 1],
      ],
    );
    assert.deepEqual(
      seen.changes.map(({ by, what }) => [by.name, what]),
      [['ana2@desk.example', 'partner set']],
    );
    const fields = (await sam.get('/operator/api/home')).body.parts.flatMap(
      ({ alerts }: { alerts: { kind: string; is_new: boolean }[] }) => alerts,
    );
    assert.ok(fields.every(({ is_new }: { is_new: unknown }) => typeof is_new === 'boolean'));
  });

  test('what is dismissed stays away until it changes, for one operator only', async () => {
    const kim = await signedInOperator(t, 'support');
    const other = await signedInOperator(t, 'support');
    const waiting = async (who: Browser) =>
      (await who.get('/operator/api/home')).body.parts
        .flatMap(({ alerts }: { alerts: object[] }) => alerts)
        .find(({ kind }: { kind?: string }) => kind === 'refund_requests');
    await requested();
    const { kind, of, state } = await waiting(kim);
    const dismiss = (given: string | null) => kim.post('/operator/api/home/dismiss', { kind, of, state: given });
    assert.equal((await dismiss(state)).status, 200);
    assert.deepEqual([(await waiting(kim)).is_dismissed, (await waiting(other)).is_dismissed], [true, false]);
    assert.equal((await dismiss(null)).status, 200);
    assert.equal((await waiting(kim)).is_dismissed, false);
    await dismiss(state);
    await requested();
    assert.equal((await waiting(kim)).is_dismissed, false, 'there is one more');
  });

  test('it reads little, however much there is', async () => {
    const { explain } = await import('../../support/database/measured-plan.ts');
    await db.run(sql`
      insert into audit_log (who, what, target, at)
      select 'member:a@b.example', 'key set', 'key ' || n, now() - interval '20 days' + n * interval '10 seconds'
      from generate_series(1, 60000) as n`);
    await db.run(sql`analyze audit_log`);
    const asked = { since: new Date(t.clock.now() - 30 * DAY), who: 'operator:x', limit: 9 };
    const { rowsRead, steps } = await explain(db, (ask) => changesByOthers(ask, asked));
    assert.ok(rowsRead <= 2_500, `${rowsRead}\n${steps.join('\n')}`);
    const plan = await worlds.live.db.query<{ indexdef: string }>(sql`
      select indexdef from pg_indexes where schemaname = ${raw("'live'")} and indexname = 'orders_failed'`);
    assert.match(plan[0]?.indexdef ?? '', /failed_at IS NOT NULL/);
  });
});
