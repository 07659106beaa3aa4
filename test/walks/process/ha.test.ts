import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cluster } from '../../../deploy/ha/local/cluster.ts';
import { openDatabase } from '../../../src/platform/db/database.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { testFolder } from '../../support/database/folder.ts';
import { type DebianBinary, noProgram } from '../../support/debian/debian.ts';
import { eventually } from '../../support/eventually.ts';

const needed: readonly DebianBinary[] = ['etcd', 'patroni', 'haproxy', 'postgres'];
const missing = (await Promise.all(needed.map(noProgram))).find(Boolean) ?? false;

test('the cluster of deploy/ha: the leader dies, another leads, has what was committed and accepts more', {
  skip: missing,
}, async () => {
  await using folder = await testFolder(0o755);
  await using cluster = await Cluster.start(folder.path);
  const db = openDatabase({ url: cluster.url, name: 'test' });
  await using undo = new AsyncDisposableStack();
  undo.defer(() => db.close());
  await db.run(sql`create table made (id int)`);
  await db.run(sql`insert into made values (1)`);

  const first = await cluster.nodeOf('leader');
  await first.kill();
  await eventually('another leads', () =>
    db.run(sql`insert into made select 2 where not exists (select from made where id = 2)`).then(
      () => true,
      () => false,
    ),
  );
  assert.deepEqual(await db.query(sql`select id from made order by id`), [{ id: 1 }, { id: 2 }]);
  const members = await cluster.members();
  assert.notEqual(members.find(({ role }) => role === 'leader')?.name, first.name);

  first.start();
  await cluster.healthy(120_000);
  await cluster.switchover();
  await eventually('the switchover is over', () =>
    db.run(sql`insert into made values (3)`).then(
      () => true,
      () => false,
    ),
  );
});
