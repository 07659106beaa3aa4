import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Cluster } from '../../../deploy/ha/local/cluster.ts';
import { Backups, noBackups } from '../../../proving/ha/backups.ts';
import { openDatabase } from '../../../src/platform/db/database.ts';
import { migrate } from '../../../src/platform/db/migrate/migrate.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { testFolder } from '../../support/database/folder.ts';
import { type DebianBinary, noProgram } from '../../support/debian/debian.ts';
import { eventually } from '../../support/eventually.ts';

const needed: readonly DebianBinary[] = ['etcd', 'patroni', 'haproxy', 'postgres', 'pgbackrest'];
const missing = noBackups() ?? (await Promise.all(needed.map(noProgram))).find(Boolean) ?? false;

test('the cluster of deploy/ha is backed up by its leader, its ledger is proved in a drill, and all three nodes are restored: to a moment, and to the end of the log without any data', {
  skip: missing,
  timeout: 600_000,
}, async () => {
  await using folder = await testFolder(0o755);
  await using cluster = await Cluster.start(`${folder.path}/cluster`, { repository: `${folder.path}/repository` });
  const backups = await Backups.begin(cluster, folder.path);
  const db = openDatabase({ url: cluster.url, name: 'test' });
  await using undo = new AsyncDisposableStack();
  undo.defer(() => db.close());
  await migrate(cluster.url);
  await db.run(sql`create table made (id int)`);
  await backups.take('full');
  await db.run(sql`insert into made values (1)`);
  const moment = await backups.moment([]);
  await db.run(sql`insert into made values (2)`);
  await backups.drill(randomBytes(32).toString('hex'), moment);

  const made = async () => {
    const rows = await eventually('HAProxy has found the leader', () =>
      db.query<{ id: number }>(sql`select id from made order by id`).catch(() => undefined),
    );
    return rows.map(({ id }) => id);
  };
  await backups.restoreNodes(moment.at);
  assert.deepEqual(await made(), [1]);
  await db.run(sql`insert into made values (3)`);
  await backups.take('diff');
  await db.run(sql`insert into made values (4)`);
  // The data of all three is gone.
  await backups.restoreNodes();
  assert.deepEqual(await made(), [1, 3, 4]);
  assert.deepEqual(backups.findings.wrong, []);
});
