import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { takeBackup } from '../../../../src/platform/db/backup/backup.ts';
import { restoreBackup } from '../../../../src/platform/db/backup/restore.ts';
import { migrate } from '../../../../src/platform/db/migrate/migrate.ts';
import { dumpSchema } from '../../../../src/platform/db/migrate/schema-dump.ts';
import { version } from '../../../../src/platform/settings/version.ts';
import { scratchFolder } from '../../../support/database/folder.ts';
import { freshDatabase } from '../../../support/database/postgres.ts';
import { partitions, quick, site } from '../../../support/database/unpartitioned.ts';
import { eventually } from '../../../support/eventually.ts';

suite('a log is moved into partitions', () => {
  test('beside writers, without copying a row, and with the schema of a new database', async () => {
    await using s = await site();
    const { rows: before } = await s.owner.query("select pg_relation_filenode('request_log') as file");
    let isOver = false;
    const written = [0, 0, 0];
    const writers = written.map(async (_, i) => {
      const client = await s.connect();
      while (!isOver) {
        await s.write(client);
        written[i] = (written[i] as number) + 1;
      }
    });
    await eventually('everybody writes', async () => written.every((count) => count > 2));
    const moved = migrate(s.url, undefined, quick);
    await Promise.race([moved, Promise.all(writers)]);
    const during = [...written];
    await eventually('everybody goes on', async () => written.every((count, i) => count > (during[i] ?? 0)));
    isOver = true;
    await Promise.all(writers);
    assert.equal((await moved).length, 4);
    const sum = written.reduce((a, b) => a + b, 0);
    assert.deepEqual(await s.rows(), {
      requests: 3000 + sum,
      ofThem: 3000 + sum,
      calls: 3000 + sum,
      ofThose: 3000 + sum,
    });
    const { rows } = await s.owner.query(partitions);
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['request_log_before', 'request_log_default'],
    );
    assert.equal(rows[0].file, before[0].file);
    const { rows: ahead } = await s.owner.query('select count(*)::int as n from request_log_default');
    assert.deepEqual(ahead, [{ n: 2 }], 'rows of a wrong clock are kept where no month takes them');
    const { url, drop } = await freshDatabase();
    assert.equal(await dumpSchema(s.url), await dumpSchema(url));
    await drop();
  });

  test('a limit that was left until its month is near is replaced', async () => {
    await using s = await site();
    await s.owner.query('create table request_log_default (like request_log including constraints)');
    const { rows } = await s.owner.query("select (now() + interval '3 days')::text as soon");
    await s.owner.query(
      `alter table request_log add constraint request_log_until check (at < '${rows[0].soon}') not valid`,
    );
    await migrate(s.url, undefined, quick);
    const { rows: found } = await s.owner.query(partitions);
    const until = new Date(/TO \('(.+)'\)/.exec(found[0].bound)?.[1] ?? '');
    assert.ok(until.getTime() > Date.now() + 27 * 86_400_000, found[0].bound);
    assert.equal(until.toISOString().slice(7), '-01T00:00:00.000Z');
  });

  test('a backup that is taken half-way can be restored', async () => {
    await using s = await site();
    await s.owner.query('create table request_log_default (like request_log)');
    const folder = await scratchFolder('wayfare-half-way-');
    const { url, drop } = await freshDatabase('template template0');
    try {
      await takeBackup(s.url, join(folder, 'half'), version, () => {});
      assert.ok((await restoreBackup(url, join(folder, 'half'), () => {})) > 6000);
    } finally {
      await drop();
      await rm(folder, { recursive: true });
    }
  });
});
