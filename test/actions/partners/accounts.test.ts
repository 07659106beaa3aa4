import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { UsageError } from '../../../src/entry/cli/cli.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const cli = (...words: string[]) => run(t.operator(), words);
const create = async (...more: string[]): Promise<string> =>
  String((await cli('partner', 'create', '--name', 'Acme', '--email', 'a@example.com', ...more)).partner_id);
const refusedWith = (code: string) => ({ code });
const shown = async (id: string) =>
  (await cli('partner', 'list')).find((one: { partner_id: number }) => String(one.partner_id) === id);
const lastAudit = () =>
  t.base.db.one<{ who: string; what: string; target: string; before: unknown; after: unknown }>(
    sql`select who, what, target, before, after from audit_log order by id desc limit 1`,
  );

suite('partner', () => {
  test('create: without --billing no billing account is opened', async () => {
    const { billing_mode, billing_opened_at, credit_limit, suspended, disabled } = await shown(await create());
    assert.deepEqual(
      { billing_mode, billing_opened_at, credit_limit, suspended, disabled },
      { billing_mode: 'prepaid', billing_opened_at: null, credit_limit: '0.00', suspended: false, disabled: false },
    );
  });

  test('set: two changes at the same moment do not undo each other', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await create('--billing', 'prepaid');
      await Promise.all([
        cli('partner', 'set', id, '--suspended', 'true'),
        cli('partner', 'set', id, '--credit-limit', '50.00'),
        cli('partner', 'set', id, '--billing', 'postpaid'),
      ]);
      const { suspended, credit_limit, billing_mode } = await shown(id);
      assert.deepEqual(
        { suspended, credit_limit, billing_mode },
        { suspended: true, credit_limit: '50.00', billing_mode: 'postpaid' },
      );
    }
  });

  test('create --billing opens one, with its credit limit', async () => {
    const partner = await shown(await create('--billing', 'postpaid', '--credit-limit', '500'));
    assert.deepEqual([partner.billing_mode, partner.credit_limit], ['postpaid', '500.00']);
    assert.ok(partner.billing_opened_at instanceof Date);
  });

  test('create refuses what it cannot read', async () => {
    for (const words of [
      ['--name', 'x'],
      ['--email', 'x'],
      ['--name', '', '--email', 'x'],
      ['--name', 'x', '--email', 'x', '--billing', 'cash'],
      ['--name', 'x', '--email', 'x', '--billing', 'postpaid', '--credit-limit', '1.234'],
      ['--name', 'x', '--email', 'x', '--credit-limit=-5'],
      ['--name', 'x', '--email', 'x', '--unknown', 'y'],
      ['--name', 'x', '--email', 'x', 'surplus'],
    ]) {
      await assert.rejects(cli('partner', 'create', ...words), UsageError, words.join(' '));
    }
  });

  test('set changes what is named and nothing else; the audit log has the state before and after', async () => {
    const id = await create();
    const after = await cli(
      'partner',
      'set',
      id,
      '--billing',
      'postpaid',
      '--credit-limit',
      '12.50',
      '--suspended',
      'true',
    );
    assert.deepEqual(
      [after.billing_mode, after.credit_limit, after.suspended, after.disabled],
      ['postpaid', '12.50', true, false],
    );
    const shares = await cli(
      'partner',
      'set',
      id,
      '--margin-share',
      '12.5',
      '--revenue-share',
      '50',
      '--disabled',
      'true',
    );
    assert.deepEqual([shares.margin_share_pct, shares.revenue_share_pct, shares.disabled], ['12.50', '50.00', true]);
    assert.deepEqual([shares.billing_mode, shares.suspended], ['postpaid', true]);
    const entry = await lastAudit();
    assert.deepEqual([entry.who, entry.what, entry.target], ['test', 'partner set', `partner ${id}`]);
    assert.equal((entry.before as { disabled: boolean }).disabled, false);
    assert.equal((entry.after as { disabled: boolean }).disabled, true);
    const back = await cli(
      'partner',
      'set',
      id,
      '--margin-share',
      'none',
      '--revenue-share',
      'off',
      '--suspended',
      'false',
    );
    assert.deepEqual([back.margin_share_pct, back.revenue_share_pct, back.suspended], [null, null, false]);
  });

  test('set refuses an unknown or closed partner, and shares that are none', async () => {
    await assert.rejects(cli('partner', 'set', '99999', '--disabled', 'true'), refusedWith('partner_not_found'));
    const id = await create();
    for (const bad of ['101', '-1', '1.234', 'half', '']) {
      await assert.rejects(cli('partner', 'set', id, `--margin-share=${bad}`), UsageError, bad);
    }
    await assert.rejects(cli('partner', 'set', id, '--disabled', 'yes'), UsageError);
    await assert.rejects(cli('partner', 'set'), UsageError);
    await cli('partner', 'delete', id);
    await assert.rejects(cli('partner', 'set', id, '--disabled', 'true'), refusedWith('partner_closed'));
  });

  test('delete closes the account once: gone from the list, kept on record', async () => {
    const id = await create();
    assert.deepEqual(await cli('partner', 'delete', id), { partner_id: Number(id), deleted: true });
    assert.equal(await shown(id), undefined);
    const entry = await lastAudit();
    assert.deepEqual([entry.what, (entry.before as { name: string }).name], ['partner delete', 'Acme']);
    await assert.rejects(cli('partner', 'delete', id), refusedWith('partner_closed'));
    await assert.rejects(cli('key', 'create', '--partner', id, '--mode', 'live'), refusedWith('partner_closed'));
  });
});

suite('key', () => {
  test('create, show, list, revoke; the audit log never holds the key', async () => {
    const partner = await create();
    const { key, key_id } = await cli(
      'key',
      'create',
      '--partner',
      partner,
      '--mode',
      'live',
      '--allow',
      '10.0.0.0/8,::1',
    );
    const past = ['--expires-at', '2020-01-01 00:00:00'];
    await assert.rejects(cli('key', 'create', '--partner', partner, '--mode', 'live', ...past), /expire in the future/);
    const stored = await cli('key', 'show', String(key_id));
    assert.deepEqual([stored.mode, stored.last4, stored.allow_list], ['live', key.slice(-4), ['10.0.0.0/8', '::1']]);
    assert.deepEqual(await cli('key', 'list', '--partner', partner), [stored]);
    assert.equal((await lastAudit()).what, 'key create');
    assert.deepEqual(await cli('key', 'revoke', String(key_id)), { key_id, revoked: true });
    const { revoked_at } = await cli('key', 'show', String(key_id));
    await cli('key', 'revoke', String(key_id));
    assert.deepEqual((await cli('key', 'show', String(key_id))).revoked_at, revoked_at, 'revoked once');
    const { found } = await t.base.db.one<{ found: boolean }>(
      sql`select exists (select from audit_log as a where a::text like ${`%${key.slice(-40, -8)}%`}) as found`,
    );
    assert.equal(found, false);
  });

  test('a time is UTC or ISO 8601 with a zone; both forms, and nothing else', async () => {
    const partner = await create();
    const { key_id } = await cli(
      'key',
      'create',
      '--partner',
      partner,
      '--mode',
      'live',
      '--expires-at',
      '2030-05-01 12:00:00',
    );
    const expiry = async () => (await cli('key', 'show', String(key_id))).expires_at?.toISOString();
    assert.equal(await expiry(), '2030-05-01T12:00:00.000Z');
    for (const [written, read] of [
      ['2030-05-01T12:00:00Z', '2030-05-01T12:00:00.000Z'],
      ['2030-05-01T12:00:00+02:00', '2030-05-01T10:00:00.000Z'],
      ['2030-05-01T12:00-0530', '2030-05-01T17:30:00.000Z'],
      ['2030-05-01T12:00:00.250Z', '2030-05-01T12:00:00.250Z'],
    ] as const) {
      await cli('key', 'set', String(key_id), '--expires-at', written);
      assert.equal(await expiry(), read);
    }
    await cli('key', 'set', String(key_id), '--expires-at', 'never');
    assert.equal(await expiry(), undefined);
    for (const bad of [
      '2030-05-01',
      'tomorrow',
      '2030-13-01 00:00:00',
      '2030-02-30 00:00:00',
      '2030-05-01T12:00:00',
      '1893456000',
    ]) {
      await assert.rejects(cli('key', 'set', String(key_id), '--expires-at', bad), UsageError, bad);
    }
  });

  test('set: allow-list, ceilings and the way back; one bad entry changes nothing', async () => {
    const { key_id } = await cli('key', 'create', '--partner', await create(), '--mode', 'live');
    const id = String(key_id);
    const set = await cli(
      'key',
      'set',
      id,
      '--allow',
      '192.0.2.1\n2001:db8::/32',
      '--ceilings',
      'purchase=600,money=1',
    );
    assert.deepEqual(
      [set.allow_list, set.tier_ceilings],
      [['192.0.2.1', '2001:db8::/32'], { purchase: 600, money: 1 }],
    );
    await assert.rejects(cli('key', 'set', id, '--allow', '192.0.2.1,nonsense'), refusedWith('invalid_allow_list'));
    for (const bad of [
      'purchase=0',
      'purchase=-1',
      'purchase=x',
      'purchase',
      'nothing=5',
      'purchase=1,,',
      'purchase=99999999',
    ]) {
      await assert.rejects(cli('key', 'set', id, '--ceilings', bad), UsageError, bad);
    }
    assert.deepEqual(await cli('key', 'show', id), set);
    const back = await cli('key', 'set', id, '--allow', 'any', '--ceilings', 'purchase=none');
    assert.deepEqual([back.allow_list, back.tier_ceilings], [[], { money: 1 }]);
    const { before, after } = await lastAudit();
    assert.deepEqual((before as typeof set).tier_ceilings, { purchase: 600, money: 1 });
    assert.deepEqual((after as typeof set).tier_ceilings, { money: 1 });
  });

  test('refusals: unknown partner, unknown key, revoked key, bad address, unknown mode', async () => {
    const partner = await create();
    await assert.rejects(
      cli('key', 'create', '--partner', '99999', '--mode', 'live'),
      refusedWith('partner_not_found'),
    );
    await assert.rejects(
      cli('key', 'create', '--partner', partner, '--mode', 'live', '--allow', '10.0.0.0/33'),
      refusedWith('invalid_allow_list'),
    );
    await assert.rejects(cli('key', 'create', '--partner', partner, '--mode', 'test'), UsageError);
    for (const words of [['show'], ['revoke'], ['set']]) {
      await assert.rejects(cli('key', ...words, '99999'), refusedWith('key_not_found'));
      await assert.rejects(cli('key', ...words, '-1'), UsageError);
      await assert.rejects(cli('key', ...words, '9999999999'), UsageError);
    }
    const { key_id } = await cli('key', 'create', '--partner', partner, '--mode', 'live');
    await cli('key', 'revoke', String(key_id));
    await assert.rejects(cli('key', 'set', String(key_id), '--expires-at', 'never'), refusedWith('key_not_found'));
  });
});

test('no change without its entry: a change that fails leaves neither', async () => {
  const count = async () => (await t.base.db.one<{ n: bigint }>(sql`select count(*) as n from audit_log`)).n;
  const before = await count();
  const partner = await create();
  await assert.rejects(cli('key', 'create', '--partner', partner, '--mode', 'live', '--allow', 'x'));
  await assert.rejects(cli('partner', 'delete', '99999'));
  assert.equal(await count(), before + 1n);
});
