import pg from 'pg';
import type { TestApp } from './app.ts';

/** Takes the app's database away, every connection included, until it is disposed of. */
export async function outage(t: TestApp): Promise<AsyncDisposable> {
  const name = /\/(test_\w+)/.exec(t.base.url)?.[1];
  const admin = new pg.Client({ connectionString: t.base.url.replace(`/${name}`, '/postgres') });
  await admin.connect();
  await admin.query(`alter database ${name} allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  return {
    async [Symbol.asyncDispose]() {
      await admin.query(`alter database ${name} allow_connections true`);
      await admin.end();
    },
  };
}
