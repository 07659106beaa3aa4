import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConnectionError, openDatabase } from '../../../src/platform/db/database.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { testFolder } from '../../support/database/folder.ts';
import { ask, startPair } from '../../support/database/postgres-pair.ts';

test('a commit that no standby confirms is never reported as done, not even when its time is up', async () => {
  await using folder = await testFolder(0o711);
  await using undo = new AsyncDisposableStack();
  const { primary, standby } = await startPair(folder.path, undo);
  await ask(primary.url, 'create table made (id int)');
  const db = openDatabase({ url: primary.url, name: 'test', statementTimeoutMs: 300 });
  undo.defer(() => db.close());
  await db.run(sql`insert into made values (1)`);

  const { pid } = await ask<{ pid: number }>(
    standby.url,
    "select pid from pg_stat_activity where backend_type = 'walreceiver'",
  ).then(([row]) => row as { pid: number });
  process.kill(pid, 'SIGSTOP');
  undo.defer(() => void process.kill(pid, 'SIGCONT'));
  // A cancelled wait would end with COMMIT and a warning: on one server only, without an error.
  for (const write of [
    () => db.run(sql`insert into made values (2)`),
    () => db.tx((tx) => tx.run(sql`insert into made values (3)`)),
  ])
    await assert.rejects(write, (error) => isConnectionError(error));
  // Nor does anybody see it, who could be told of it: it waits.
  assert.deepEqual(await db.query(sql`select id from made`), [{ id: 1 }]);
});
