import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDatabase } from '../../../../src/platform/db/database.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { testFolder } from '../../../support/database/folder.ts';
import { freshDatabase } from '../../../support/database/postgres.ts';
import { eventually } from '../../../support/eventually.ts';
import { wayfare } from '../../../support/program/cli.ts';
import { ServerProcess } from '../../../support/program/server-process.ts';
import { FROM, smtpServer } from '../../../support/servers/smtp.ts';

test('a process killed before the server says "accepted" leaves the mail to the next one', async () => {
  await using undo = new AsyncDisposableStack();
  const { path: dataDir } = undo.use(await testFolder(0o711));
  const database = await freshDatabase();
  undo.defer(() => database.drop());
  const smtp = undo.use(await smtpServer());
  const env = {
    DATABASE_URL: database.url,
    WAYFARE_SECRET: 'ab'.repeat(32),
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MAIL_FROM: FROM,
  };
  const db = openDatabase({ url: database.url, name: 'test', searchPath: 'shared' });
  undo.defer(() => db.close());
  const first = undo.use(await ServerProcess.start({ dataDir, env }));
  smtp.beforeAccept = async () => {
    smtp.beforeAccept = async () => {};
    first.child.kill('SIGKILL');
    await eventually('the process is gone', async () => first.child.signalCode !== null);
  };
  await wayfare(env, 'mail', 'test', 'ana@example.com');
  await eventually('it is killed', async () => first.child.signalCode === 'SIGKILL');
  const { attempts, leased } = await db.one<{ attempts: number; leased: boolean }>(sql`
    select attempts, due_at > now() as leased from mails`);
  assert.deepEqual([attempts, leased], [1, true]);
  // The lease would end by itself.
  await db.run(sql`update mails set due_at = now()`);
  undo.use(await ServerProcess.start({ dataDir, env }));
  await eventually(
    'it is sent',
    async () => (await db.query(sql`select from mails where sent_at is not null`)).length === 1,
  );
  assert.equal(smtp.received.length, 2);
  assert.equal(new Set(smtp.received.map(({ headers }) => headers['message-id'])).size, 1);
});
