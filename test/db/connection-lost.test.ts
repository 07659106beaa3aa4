import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { isConnectionError, openDatabase } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';

/** A message of PostgreSQL's protocol: its letter, its length, its content. */
function message(letter: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

const authenticated = message('R', Buffer.from([0, 0, 0, 0]));
const ready = message('Z', Buffer.from('I'));
const terminated = message(
  'E',
  Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
);

test('a connection that ends in the moment it is made fails its query and not the process', async () => {
  // Nobody waits on the connection yet when the end arrives with the greeting: an error without a listener ends the process.
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, terminated])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `postgres://wayfare@127.0.0.1:${port}/wayfare?sslmode=disable`;
  const db = openDatabase({ url, name: 'test', searchPath: 'shared', maxConnections: 1 });
  await assert.rejects(db.query(sql`select 1`), (error) => isConnectionError(error));
  await db.close();
  server.close();
});
