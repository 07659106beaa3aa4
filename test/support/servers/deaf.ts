import pg from 'pg';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { eventually } from '../eventually.ts';
import type { TestApp } from '../program/app.ts';

/** Cuts the notification connection of every app in this process and keeps it from coming back until it is disposed of. */
export async function deafen(t: TestApp): Promise<Disposable> {
  const connect = pg.Client.prototype.connect;
  pg.Client.prototype.connect = function (
    this: pg.Client & { connectionParameters: { application_name: string } },
    ...args: unknown[]
  ) {
    if (this.connectionParameters.application_name === 'wayfare listen') return Promise.reject(new Error('cut off'));
    return Reflect.apply(connect, this, args);
  } as typeof connect;
  await t.base.db.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'wayfare listen'`);
  await eventually('the app has noticed', async () => t.logged.join('').includes('lost the notification connection'));
  return {
    [Symbol.dispose]() {
      pg.Client.prototype.connect = connect;
    },
  };
}
