import pg from 'pg';
import type { TestApp } from '../program/app.ts';

/** Takes the app's database away, every connection included, until it is disposed of. */
export async function outage(t: TestApp): Promise<AsyncDisposable> {
  const closed = await noNewConnections(t);
  await closed.admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [closed.name]);
  return closed;
}

/** The database accepts no new connections until this is disposed of, as at its connection limit; open ones stay open. */
export async function noNewConnections(
  t: TestApp,
): Promise<AsyncDisposable & { readonly admin: pg.Client; readonly name: string }> {
  const name = /\/(test_\w+)/.exec(t.base.url)?.[1] ?? '';
  const admin = new pg.Client({ connectionString: t.base.url.replace(`/${name}`, '/postgres') });
  await admin.connect();
  await admin.query(`alter database ${name} allow_connections false`);
  return {
    admin,
    name,
    async [Symbol.asyncDispose]() {
      await admin.query(`alter database ${name} allow_connections true`);
      await admin.end();
    },
  };
}
