import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actions } from '../../../src/actions/actions.ts';
import { differences } from '../../../src/actions/system/changes.ts';
import { asText, findCommand } from '../../../src/entry/cli/cli.ts';
import { listChanges } from '../../../src/platform/audit/audit-log.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { explain } from '../../support/database/measured-plan.ts';
import { testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { accepted, PASSWORD } from '../../support/program/panel.ts';

interface Listed {
  at: Date;
  who: string;
  what: string;
  target: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

test('changes: newest first, with who, what and the state before and after; of one target, by one person', async () => {
  await using t = await testApp();
  const as = (who: string) => ({ ...t.operator(), who });
  const changes = (...words: string[]): Promise<Listed[]> => run(t.operator(), ['changes', ...words]);
  assert.deepEqual(await changes(), []);
  const [partner, other] = [await t.partner(), await t.partner()];
  await run(as('ana'), `partner set ${partner} --suspended true`);
  await run(as('ben'), `partner set ${other} --suspended true`);
  await run(as('ben'), `partner set ${partner} --suspended false`);

  const all = await changes();
  const [latest] = all;
  assert.deepEqual(Object.keys(latest ?? {}), ['at', 'who', 'what', 'target', 'before', 'after']);
  assert.deepEqual([latest?.who, latest?.what, latest?.target], ['ben', 'partner set', `partner ${partner}`]);
  assert.deepEqual([latest?.before?.suspended, latest?.after?.suspended], [true, false]);
  const told = (rows: readonly Listed[]) => rows.map(({ who, target }) => `${who}: ${target}`);
  const [first, second, third] = [`ana: partner ${partner}`, `ben: partner ${other}`, `ben: partner ${partner}`];
  assert.deepEqual(told(all), [third, second, first]);
  assert.deepEqual(told(await changes('--target', `partner ${partner}`)), [third, first]);
  assert.deepEqual(told(await changes('--who', 'ben')), [third, second]);
  assert.deepEqual(told(await changes('--who', 'ben', '--target', `partner ${other}`)), [second]);
  assert.deepEqual(told(await changes('--limit', '1')), [third]);
  assert.deepEqual(await changes('--target', 'partner'), []);
});

test('for people a change is its difference: only the fields that changed, statuses as words', async () => {
  await using t = await testApp({ config: { webhookTrustedHosts: ['127.0.0.1:9'] } });
  const operator = t.operator();
  const partner = await t.partner();
  await run(operator, `partner set ${partner} --suspended true --credit-limit 5`);
  const hook = `webhook create --partner ${partner} --mode live --url http://127.0.0.1:9/hook`;
  const { subscription_id: id } = await run(operator, hook);
  await run(operator, `webhook pause ${id}`);
  const command = findCommand(actions, ['changes']);
  assert.ok(command);
  const text = async (...words: string[]) => asText(command, await run(operator, ['changes', ...words]));

  const [heading, ...fields] = (await text('--target', `partner ${partner}`)).split('\n');
  assert.match(
    heading ?? '',
    new RegExp(`^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d  test  partner set  partner ${partner}$`),
  );
  assert.deepEqual(
    fields.filter((line) => !line.includes('billing_opened_at')),
    ['    suspended: false → true', '    credit_limit: 0.00 → 5.00', ''],
  );
  const [paused = '', made = ''] = (await text('--target', `subscription ${id}`)).split(/\n(?=\d)/);
  assert.match(paused, /^ {4}status: active → paused$/m);
  assert.doesNotMatch(paused, /url|events/);
  assert.match(made, /^ {4}url: - → http:\/\/127\.0\.0\.1:9\/hook$/m);
  assert.equal(await text('--who', 'somebody else'), 'nothing\n');
});

test('a difference of two words, of a new thing and of a deleted one; a time as everywhere else', () => {
  const between = (before: unknown, after: unknown) => differences({ target: 'order 7', before, after });
  assert.deepEqual(between('deliver', 'delay'), ['deliver → delay']);
  assert.deepEqual(between(null, null), []);
  assert.deepEqual(between(null, { name: 'Acme', note: '', list: [] }), ['name: - → Acme']);
  assert.deepEqual(between({ name: 'Acme' }, null), ['name: Acme → -']);
  assert.deepEqual(between({ list: ['a'], same: 1 }, { list: ['a', 'b'], same: 1 }), ['list: a → a, b']);
  assert.deepEqual(between({ at: null }, { at: '2026-11-15T03:11:09.412Z' }), ['at: - → 2026-11-15 03:11:09']);
  assert.deepEqual(between(null, { status: 2, delivery: 'failed' }), ['status: - → failed', 'delivery: - → failed']);
});

test('no secret is among the changes: not a key, a signing secret, a link or a password', async () => {
  await using t = await testApp({ config: { webhookTrustedHosts: ['127.0.0.1:9'] } });
  const operator = t.operator();
  const partner = await t.partner();
  const { key } = await run(operator, `key create --partner ${partner} --mode live`);
  const hook = `webhook create --partner ${partner} --mode live --url http://127.0.0.1:9/hook`;
  const { subscription_id, secret } = await run(operator, hook);
  const { secret: rotated } = await run(operator, `webhook rotate ${subscription_id}`);
  await run(operator, `webhook pause ${subscription_id}`);
  const { link } = await run(operator, `member invite --partner ${partner} --email ana@example.com`);
  const ana = await accepted(t, partner, 'ben@example.com');
  const fresh = 'another long password';
  await ana.post('/api/password', { current: PASSWORD, password: fresh });
  const made = await ana.post('/api/keys', { mode: 'sandbox', allow_list: '' });
  assert.equal(made.status, 200, made.text);

  const changes: Listed[] = await run(operator, 'changes');
  const done = new Set(changes.map(({ what }) => what));
  for (const what of ['key create', 'webhook create', 'webhook rotate', 'member invite', 'password set by link'])
    assert.ok(done.has(what), what);
  assert.ok(changes.some(({ who }) => who === 'member:ben@example.com'));
  const text = JSON.stringify(changes);
  const secrets = [key, secret, rotated, link.split('#')[1], PASSWORD, fresh, ana.cookie.split('=')[1]];
  for (const issued of [...secrets, made.body.secret]) {
    assert.ok(typeof issued === 'string' && issued.length > 0);
    assert.ok(!text.includes(issued), `one that begins with ${issued.slice(0, 4)}`);
  }
});

test('a filter reads no more rows than it returns, however changes are distributed', async () => {
  await using t = await testApp();
  const { db } = t.base;
  await db.run(sql`
    insert into audit_log (who, what, target)
    select case when n % 1000 = 0 then 'ana' else 'ben' end, 'partner set', 'partner ' || n % 3 from generate_series(1, 60000) n`);
  await db.run(
    sql`insert into audit_log (who, what, target) select 'eva', 'partner set', 'partner 7' from generate_series(1, 3)`,
  );
  await db.run(
    sql`insert into audit_log (who, what, target) select 'ben', 'key set', 'key 1' from generate_series(1, 60000)`,
  );
  await db.run(sql`analyze audit_log`);
  for (const filter of [
    {},
    { target: 'partner 1' },
    { target: 'partner 7' },
    { who: 'ana' },
    { who: 'ben' },
    { who: 'ana', target: 'partner 1' },
    { who: 'eva', target: 'key 1' },
    { who: 'nobody' },
  ]) {
    const full = { target: undefined, who: undefined, limit: 50, ...filter };
    const listed = await explain(db, (ask) => listChanges(ask, full));
    assert.ok(listed.rowsRead <= 50, `${JSON.stringify(filter)}\n${listed.steps.join('\n')}`);
  }
});
