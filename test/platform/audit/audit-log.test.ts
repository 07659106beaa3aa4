import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amend, change, listChanges } from '../../../src/platform/audit/audit-log.ts';
import { openDatabase, type Tx } from '../../../src/platform/db/database.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { freshDatabase } from '../../support/database/postgres.ts';
import { readSources } from '../../support/sources.ts';

test('a change and its entry are committed together or not at all', async () => {
  await using undo = new AsyncDisposableStack();
  const { url, drop } = await freshDatabase();
  undo.defer(drop);
  const db = openDatabase({ url, name: 'test', searchPath: 'shared' });
  undo.defer(() => db.close());
  const author = { db, who: 'ana' };
  const named = (tx: Tx) => tx.one<{ name: string }>(sql`select name from partners`);
  const rename = (tx: Tx, name: string) => tx.run(sql`update partners set name = ${name}`);
  const made = await change(author, 'partner create', async (tx) => {
    await tx.run(sql`insert into partners (name, email) values ('Acme', 'a@example.com')`);
    return { target: 'partner 1', after: await named(tx), result: 'made' };
  });
  assert.equal(made, 'made');
  const failing = amend(author, 'partner set', 'partner 1', named, async (tx) => {
    await rename(tx, 'Lost');
    throw new Error('half way');
  });
  await assert.rejects(failing, /half way/);
  // The entry itself cannot be written: `what` is required.
  await assert.rejects(
    amend(author, null as never, 'partner 1', named, (tx) => rename(tx, 'Unrecorded')),
    { code: '23502' },
  );
  assert.deepEqual(await amend(author, 'partner set', 'partner 1', named, (tx) => rename(tx, 'Apex')), {
    name: 'Apex',
  });
  const entries = await listChanges(db, { target: undefined, who: undefined, limit: 10 });
  assert.deepEqual(
    entries.map(({ at: _, ...entry }) => entry),
    [
      { who: 'ana', what: 'partner set', target: 'partner 1', before: { name: 'Acme' }, after: { name: 'Apex' } },
      { who: 'ana', what: 'partner create', target: 'partner 1', before: null, after: { name: 'Acme' } },
    ],
  );
});

test('commands, actions and the panel change things through the audit log, never in transactions of their own', () => {
  const allowed = {
    'actions/money/revenue-share.ts': 'a step without a change, before a settlement that commits by itself',
    'actions/partners/forgotten-passwords.ts': 'anybody may ask for a link; it changes nothing until its owner uses it',
    'actions/partners/operator-sign-on.ts': 'a sign-in is not recorded, as with a password',
    'actions/partners/sign-up.ts':
      'anybody may sign up; it opens nothing until the address is confirmed, which is recorded',
    'actions/partners/single-sign-on.ts': 'a sign-in is not recorded, as with a password',
    'entry/cli/print.ts': 'it shows the next step of something long',
    'entry/console/home.ts': 'what an operator is shown on their own home page changes nothing for anybody',
    'entry/panel/account/me.ts': 'which partner a session is at is not recorded, as sign-ins are not',
    'entry/site/json/account-security.ts':
      'a second factor changes nothing until it is turned on, and the end of a session is like a sign-in',
    'entry/site/json/saved-views.ts': 'views are visible only to their owner',
  };
  const direct = readSources().filter(
    ({ path, text }) =>
      /^(actions|entry\/(cli|panel|console|site))\//.test(path) && /\b(db|base)\.(tx|run)\(|\bstep\(/.test(text),
  );
  assert.deepEqual(
    direct.map(({ path }) => path),
    Object.keys(allowed),
  );
});

test('entries are written in one place', () => {
  const writers = readSources().filter(({ text }) => /insert into (shared\.)?audit_log/.test(text));
  assert.deepEqual(
    writers.map(({ path }) => path),
    ['platform/audit/audit-log.ts'],
  );
});
