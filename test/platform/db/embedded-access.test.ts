import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import pg from 'pg';
import { type EmbeddedPostgres, runningPostgres, startPostgres } from '../../../src/platform/db/embedded/embedded.ts';
import { createLog } from '../../../src/platform/log.ts';
import { testFolder } from '../../support/database/folder.ts';

const start = (dataDir: string) => startPostgres(dataDir, createLog('silent'), ['fsync=off']);
const socketOf = ({ url }: EmbeddedPostgres) => new URL(url).searchParams.get('host') ?? '';

async function ask(connection: pg.ClientConfig, statement: string): Promise<unknown[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

test('who may log in to the embedded database', async (t) => {
  await using folder = await testFolder(0o711);
  const passwordFile = join(folder.path, 'postgres-password');
  let postgres = await start(folder.path);

  await t.test('a process that can reach the socket is refused without the password', async () => {
    const stranger = { host: socketOf(postgres), user: 'wayfare', database: 'wayfare' };
    await assert.rejects(ask(stranger, 'select 1'), /password/);
    await assert.rejects(ask({ ...stranger, password: 'guessed' }, 'select 1'), { code: '28P01' });
    await assert.rejects(ask({ ...stranger, user: 'nobody', password: '' }, 'select 1'), /password/);
  });

  await t.test('only the user who runs the program can read the password or change the rule', async () => {
    const { uid, mode } = await stat(passwordFile);
    assert.deepEqual([uid, mode & 0o777], [process.getuid?.(), 0o600]);
    const [rules] = (await ask({ connectionString: postgres.url }, 'show hba_file')) as { hba_file: string }[];
    for (const path of [rules?.hba_file ?? '', dirname(rules?.hba_file ?? '')]) {
      const found = await stat(path);
      assert.deepEqual([found.uid, found.mode & 0o022], [process.getuid?.(), 0], path);
    }
  });

  await t.test('a command beside the server finds it, password included', async () => {
    assert.equal(await runningPostgres(folder.path), postgres.url);
  });

  await t.test('a folder of the previous version, without a password, gets one and keeps its data', async () => {
    await ask({ connectionString: postgres.url }, 'create table kept as select 1 as n');
    await ask({ connectionString: postgres.url }, 'alter role wayfare password null');
    await postgres.stop();
    await rm(passwordFile);
    postgres = await start(folder.path);
    assert.deepEqual(await ask({ connectionString: postgres.url }, 'select n from kept'), [{ n: 1 }]);
    assert.ok(new URL(postgres.url).password.length >= 32);
  });

  await t.test('a password the database does not know stops the start with a line that says what to do', async () => {
    await postgres.stop();
    await writeFile(passwordFile, 'another\n');
    await assert.rejects(start(folder.path), {
      message: `the database does not accept the password in ${passwordFile}: remove that file and start again`,
    });
    await rm(passwordFile);
    await (await start(folder.path)).stop();
  });
});

suite('the folder of the socket', () => {
  /** Too long for a socket address. */
  const long = 'a-long-name-'.repeat(9);

  test('for a long path it is a private folder with a name that cannot be guessed, and commands find it', async () => {
    await using folder = await testFolder(0o711);
    const dataDir = join(folder.path, long);
    await mkdir(dataDir, { mode: 0o711 });
    const first = await start(dataDir);
    const socketDir = socketOf(first);
    const found = await lstat(socketDir);
    assert.ok(found.isDirectory());
    assert.equal(found.mode & 0o077, 0);
    assert.equal(await runningPostgres(dataDir), first.url);

    // Somebody else's folder under the remembered name: a command must not talk to what listens there.
    await chmod(socketDir, 0o755);
    assert.equal(await runningPostgres(dataDir), undefined);
    await chmod(socketDir, 0o700);
    await first.stop();
    await assert.rejects(lstat(socketDir), { code: 'ENOENT' });

    const second = await start(dataDir);
    assert.notEqual(socketOf(second), socketDir);
    await second.stop();
  });

  test('a remembered folder that became a link is left alone, and a new one is made', async () => {
    await using folder = await testFolder(0o711);
    const dataDir = join(folder.path, long);
    await mkdir(dataDir, { mode: 0o711 });
    const [victim, trap] = [join(folder.path, 'victim'), join(folder.path, 'trap')];
    await mkdir(victim, { mode: 0o700 });
    await symlink(victim, trap);
    await writeFile(join(dataDir, 'postgres-socket'), trap);
    const postgres = await start(dataDir);
    assert.notEqual(socketOf(postgres), trap);
    assert.equal(await readFile(join(dataDir, 'postgres-socket'), 'utf8'), socketOf(postgres));
    await postgres.stop();
    assert.equal((await stat(victim)).uid, process.getuid?.());
  });

  test('a link in its place is refused with one clear line, and what it points to keeps its owner', async () => {
    await using folder = await testFolder(0o711);
    const victim = join(folder.path, 'victim');
    await mkdir(victim, { mode: 0o700 });
    await symlink(victim, join(folder.path, 'postgres-run'));
    await assert.rejects(start(folder.path), /postgres-run must be a folder that only uid \d+ can enter; remove it$/);
    assert.equal((await stat(victim)).uid, process.getuid?.());
  });
});
