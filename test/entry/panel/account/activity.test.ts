import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, suite, test } from 'node:test';
import { partnerAuditWords } from '../../../../src/actions/system/audit-words.ts';
import { activities } from '../../../../src/entry/panel/account/activity.ts';
import { listActivity } from '../../../../src/platform/audit/audit-log.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { explaining } from '../../../support/database/explain.ts';
import { type Answer, testApp } from '../../../support/program/app.ts';
import { signedInOperator } from '../../../support/program/console.ts';
import { run } from '../../../support/program/operator.ts';
import { type Browser, signedIn, signedInAs, someEmail } from '../../../support/program/panel.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const codeOf = ({ status, body }: Answer) => [status, body.error?.code];

suite('a key', () => {
  test('has a name, a note and the last day it works; all can be changed and taken away', async () => {
    const ana = await signedIn(t, await t.partner());
    const today = new Date(t.clock.now()).toISOString().slice(0, 10);
    const wanted = { mode: 'sandbox', allow_list: '', name: ' Shop ', note: 'Checkout\nserver', expires_on: today };
    const { key } = (await ana.post('/api/keys', wanted)).body;
    assert.deepEqual([key.name, key.note, key.expires_at], ['Shop', 'Checkout\nserver', `${today}T23:59:59.999Z`]);
    const set = (body: object) => ana.post(`/api/keys/${key.id}`, body);
    const renamed = (await set({ name: 'Store', expires_on: '' })).body.key;
    assert.deepEqual([renamed.name, renamed.note, renamed.expires_at], ['Store', 'Checkout\nserver', null]);
    assert.equal((await set({ note: '' })).body.key.note, '');
    for (const [body, code] of [
      [{ name: 'x'.repeat(61) }, 'name_too_long'],
      [{ note: 'x'.repeat(501) }, 'note_too_long'],
      [{ name: 'two\nlines' }, 'invalid_name'],
      [{ note: 'bell\u0007' }, 'invalid_note'],
      [{ expires_on: 'tomorrow' }, 'invalid_expiry'],
      [{ expires_on: '2030-02-30' }, 'invalid_expiry'],
      [{ expires_on: '2020-01-01' }, 'expiry_in_past'],
    ] as const)
      assert.deepEqual(codeOf(await set(body)), [400, code]);
    assert.equal((await ana.get('/api/keys')).body.keys[0].name, 'Store');
  });

  test('with an expiry stops working when its day is over', async () => {
    const ana = await signedIn(t, await t.partner());
    const today = new Date(t.clock.now()).toISOString().slice(0, 10);
    const { secret } = (await ana.post('/api/keys', { mode: 'sandbox', allow_list: '', expires_on: today })).body;
    assert.equal((await t.get('/account/balance', { key: secret })).status, 200);
    t.clock.advance(DAY);
    assert.equal((await t.get('/account/balance', { key: secret })).body.error, 'invalid_api_key');
  });
});

suite('the activity log', () => {
  const read = async (ana: Browser, query = '') => (await ana.get(`/api/activity${query}`)).body;

  test('says who did what to what, and what changed; the operator has no name there', async () => {
    const partner = await t.partner();
    const email = someEmail();
    const ana = await signedIn(t, partner, email);
    const { key } = (await ana.post('/api/keys', { mode: 'live', allow_list: '', name: 'Shop' })).body;
    await ana.post(`/api/keys/${key.id}`, { allow_list: '203.0.113.7' });
    await run(t.operator(), `partner set ${partner} --credit-limit 100 --billing postpaid --margin-share 10`);
    const { entries, has_more } = await read(ana);
    assert.equal(has_more, false);
    assert.deepEqual(
      entries.slice(0, 3).map(({ by, kind, about, sentence, changes }: Record<string, unknown>) => ({
        by,
        kind,
        about,
        sentence,
        changes,
      })),
      [
        {
          by: null,
          kind: 'partner set',
          about: '',
          sentence: 'Changed the account',
          changes: [
            { field: 'billing_mode', label: 'Billing', before: 'prepaid', after: 'postpaid' },
            { field: 'credit_limit', label: 'Credit limit', before: '$0.00', after: '$100.00' },
          ],
        },
        {
          by: email,
          kind: 'key set',
          about: `Shop (${key.mask})`,
          sentence: `Changed the API key Shop (${key.mask})`,
          changes: [{ field: 'allow_list', label: 'Allowed IP addresses', before: null, after: '203.0.113.7' }],
        },
        {
          by: email,
          kind: 'key create',
          about: `Shop (${key.mask})`,
          sentence: `Created the API key Shop (${key.mask})`,
          changes: [
            { field: 'mode', label: 'World', before: null, after: 'live' },
            { field: 'name', label: 'Name', before: null, after: 'Shop' },
          ],
        },
      ],
    );
  });

  test('is read in the words of the console, without the name of the partner; what members may not see is in no sentence', async () => {
    const partner = await t.partner({ name: 'Acme' });
    const ana = await signedIn(t, partner);
    const { key } = (await ana.post('/api/keys', { mode: 'live', allow_list: '', name: 'Shop' })).body;
    const reader = await signedInOperator(t, 'read-only');
    const latest = async () => (await reader.get(`/operator/api/audit?partner=${partner}`)).body.entries[0];
    const said = ({ sentence }: { sentence: { text: string }[] }) => sentence.map(({ text }) => text).join('');
    assert.equal(said(await latest()), `created the API key Shop (${key.mask}) of Acme`);
    assert.equal((await read(ana)).entries[0].sentence, `Created the API key Shop (${key.mask})`);
    await run(t.operator(), `partner set ${partner} --margin-share 10`);
    assert.equal(said(await latest()), 'fixed the margin share of Acme at 10.00 %');
    const [entry] = (await read(ana)).entries;
    assert.deepEqual([entry.sentence, entry.changes], ['Changed the account', []]);
  });

  test('spending limits are said as people say them', async () => {
    const partner = await t.partner();
    const ana = await signedIn(t, partner);
    await run(t.operator(), `partner set ${partner} --limit month=5000.00 --limit hour=20x`);
    assert.deepEqual((await read(ana)).entries[0].changes, [
      { field: 'limits', label: 'What may be spent', before: null, after: '$5,000.00 per month; 20 orders per hour' },
    ]);
  });

  test('every kind that members see has a sentence for them, also without its fields', () => {
    for (const [kind, { fields }] of Object.entries(activities)) {
      const entry = { what: kind, target: 'order 7', before: null, after: null, partnerId: 1 };
      assert.match(partnerAuditWords(entry, fields, false).sentence, /^[A-Z][a-z]+ /, kind);
    }
  });

  test('is of one partner, and a role sees no more there than elsewhere', async () => {
    const partner = await t.partner();
    const ana = await signedIn(t, partner);
    await ana.post('/api/keys', { mode: 'live', allow_list: '' });
    await ana.post('/api/balance-alert', { level: '5' });
    const kinds = async (by: Browser) => (await read(by)).entries.map(({ kind }: { kind: string }) => kind);
    assert.deepEqual(await kinds(ana), ['partner set', 'key create']);
    assert.deepEqual(await kinds(await signedInAs(t, partner, 'finance')), ['partner set']);
    assert.deepEqual(await kinds(await signedInAs(t, partner, 'developer')), ['key create']);
    assert.deepEqual(await kinds(await signedIn(t, await t.partner())), []);
  });

  test('goes on before an id, along its index', async () => {
    const partner = await t.partner();
    const ana = await signedIn(t, partner);
    await t.base.db.run(sql`
      insert into audit_log (who, what, target, partner_id)
      select 'member:a@example.com', 'password change', 'member 1', case when n % 100 = 0 then ${partner}::int else 0 end
      from generate_series(1, 12000) as n`);
    const first = await read(ana);
    assert.deepEqual([first.entries.length, first.has_more], [50, true]);
    const second = await read(ana, `?before=${first.entries[49].id}`);
    const third = await read(ana, `?before=${second.entries[49].id}`);
    assert.deepEqual([second.entries.length, third.entries.length, third.has_more], [50, 20, false]);
    const long = await read(ana, '?limit=100');
    assert.deepEqual([long.entries.length, long.has_more], [100, true]);
    assert.equal((await read(ana, '?before=nonsense')).entries.length, 50);
    await t.base.db.run(sql`analyze audit_log`);
    const { db, plans } = explaining(t.base.db);
    await listActivity(db, { partnerId: partner, kinds: Object.keys(activities), before: 1_000_000n, limit: 51 });
    assert.match(plans[0] ?? '', /Index Scan using audit_log_of_partner/);
    assert.doesNotMatch(plans[0] ?? '', /Sort/);
  });

  test('knows everything that members can do', async () => {
    const folder = new URL('../../../../src/actions/', import.meta.url);
    const unknown: string[] = [];
    // What operators do to their own accounts is in no partner's activity.
    for (const file of (await readdir(folder, { recursive: true })).filter((name) =>
      /^(?!.*operator).*\.ts$/.test(name),
    )) {
      const text = await readFile(new URL(file, folder), 'utf8');
      // What operators prune is nobody's in particular.
      for (const [, what = ''] of text.matchAll(
        /\b(?:change|amend|changed|changeIn)\(\s*(?:actor|{[^}]*}),\s*(?:mode,\s*)?'([a-z -]+)'/g,
      ))
        if (!(what in activities) && what !== 'webhook prune') unknown.push(`${file}: ${what}`);
    }
    assert.deepEqual(unknown, [], 'say in activity-kinds.ts who sees it');
  });
});
