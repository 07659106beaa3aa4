import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate } from '../../../src/platform/db/migrate/migrate.ts';
import type { Migration } from '../../../src/platform/db/migrate/migrations.ts';
import { isMove } from '../../../src/platform/db/migrate/partition-move.ts';
import { only, partitions, quick, site } from '../../support/database/unpartitioned.ts';

test('a log that is moved into partitions, killed at any statement: writers go on, and the next run finishes', async () => {
  const isRequestLog = (migration: Migration) => !isMove(migration) || /^live\/.*request_log/.test(migration.id);
  const onDisk = only(isRequestLog);
  let stops = 0;
  for (let at = 1, finished = false; !finished; at++) {
    await using s = await site();
    await s.owner.query(`
      create sequence public.statements;
      create function public.stop() returns event_trigger language plpgsql as $$ begin
        if current_setting('application_name') = 'wayfare migrate' and nextval('public.statements') = ${at} then
          perform pg_terminate_backend(pg_backend_pid());
        end if;
      end $$;
      create event trigger stop on ddl_command_start execute function public.stop()`);
    finished = await migrate(s.url, undefined, { ...quick, onDisk }).then(
      () => true,
      () => false,
    );
    stops += Number(!finished);
    await s.write();
    await s.owner.query('drop event trigger stop');
    await migrate(s.url, undefined, quick);
    await s.write();
    const found = { requests: 3002, ofThem: 3002, calls: 3002, ofThose: 3002 };
    assert.deepEqual(await s.rows(), found, `stopped at its statement ${at}`);
    const { rows } = await s.owner.query(partitions);
    assert.equal(rows.length, 2);
  }
  assert.ok(stops > 15, `${stops}`);
});
