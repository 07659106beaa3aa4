import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { migrate } from '../../../src/platform/db/migrate/migrate.ts';
import { testFolder } from '../../support/database/folder.ts';
import { freshDatabase } from '../../support/database/postgres.ts';
import { debianBinary, noProgram } from '../../support/debian/debian.ts';
import { eventually } from '../../support/eventually.ts';
import { testApp } from '../../support/program/app.ts';
import { freePort } from '../../support/program/ports.ts';
import { refused } from '../../support/program/process.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit } from '../../support/sales/shop.ts';

/** It refuses to run as root, like PostgreSQL, but can change to another user by itself. */
const asNobody = process.getuid?.() === 0;

/** Debian's PgBouncer in front of a database. */
async function pgbouncer(database: string, mode: string): Promise<{ url: string } & AsyncDisposable> {
  const { path, env } = await debianBinary('pgbouncer');
  const folder = await testFolder(0o711);
  const { username, password, pathname, searchParams } = new URL(database);
  const port = await freePort();
  const [settings, users] = [join(folder.path, 'pgbouncer.ini'), join(folder.path, 'users.txt')];
  await writeFile(users, `"${username}" "${password}"\n`, { mode: 0o600 });
  await writeFile(
    settings,
    `[databases]
* = host=${searchParams.get('host')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 50
`,
    { mode: 0o600 },
  );
  if (asNobody) for (const file of [settings, users]) await chown(file, 65_534, 65_534);
  const args = [...(asNobody ? ['-u', 'nobody'] : []), settings];
  const child = spawn(path, args, { stdio: 'ignore', env: { ...process.env, ...env } });
  const gone = once(child, 'exit');
  await eventually('PgBouncer listens', async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
    return !(await refused(port));
  });
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await gone;
      await folder[Symbol.asyncDispose]();
    },
  };
}

const skip = await noProgram('pgbouncer');

test('through PgBouncer in session mode everything works', { skip }, async () => {
  const database = await freshDatabase();
  {
    await using pooler = await pgbouncer(database.url, 'session');
    await using t = await testApp({ url: pooler.url });
    const partnerId = await t.partner();
    const key = await t.key(partnerId);
    await credit(t, partnerId, '100.00');
    const { alias } = await testPlan(t);
    await catalogKnows(t, alias);
    for (let n = 0; n < 3; n++) assert.equal((await buy(t, key, alias)).body.delivery, 'delivered');
  }
  await database.drop();
});

test('PgBouncer in transaction or statement mode is refused with one clear line', { skip }, async () => {
  const database = await freshDatabase();
  for (const mode of ['transaction', 'statement']) {
    await using pooler = await pgbouncer(database.url, mode);
    await assert.rejects(migrate(pooler.url), {
      message:
        'DATABASE_URL leads to a pooler in transaction mode; use session mode (pool_mode = session) or connect directly',
    });
  }
  await database.drop();
});
