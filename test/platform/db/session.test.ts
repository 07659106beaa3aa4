import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { suite, test } from 'node:test';
import { DatabaseAway, openDatabase } from '../../../src/platform/db/database.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { Servers } from '../../../src/platform/db/session.ts';

suite('the servers of a database URL', () => {
  const url = 'postgres://me:p%2Cw@one:5432,two:5433,[::1]:5434/db?sslmode=disable';
  const names = ['one:5432', 'two:5433', '[::1]:5434'];
  const urls = names.map((host) => `postgres://me:p%2Cw@${host}/db?sslmode=disable`);

  test('each host is one server, with user, password, database and options in common', () => {
    const servers = new Servers(url);
    const found = names.map(() => {
      const { current } = servers;
      servers.moveOn(current);
      return current;
    });
    assert.deepEqual(found, urls);
    assert.equal(servers.current, urls[0]);
  });

  test('one host, or a socket folder, stays as it was written', () => {
    for (const one of ['postgres://me@h/db', 'postgres://me@localhost/db?host=%2Ftmp%2Fa,b', 'postgresql:///db'])
      assert.equal(new Servers(one).current, one);
  });

  test('connections that fail together move on by one server', () => {
    const servers = new Servers(url);
    for (let failure = 0; failure < 5; failure++) servers.moveOn(urls[0] as string);
    assert.equal(servers.current, urls[1]);
  });

  test('every server is tried once, and then the last error is the answer', async () => {
    const servers = new Servers(url);
    const tried: string[] = [];
    const failing = servers.tryEach(async () => {
      tried.push(servers.current);
      servers.moveOn(servers.current);
      throw new Error(`refused by ${tried.at(-1)}`);
    });
    await assert.rejects(failing, { message: `refused by ${urls[2]}` });
    assert.deepEqual(tried, urls);
  });
});

/** A server that lets everybody in and ends the session in the same breath. */
async function endingServer(): Promise<{ url: string } & AsyncDisposable> {
  const fatal = 'SFATAL\0C57P01\0Mterminating connection\0\0';
  const message = (type: string, body: Buffer) => {
    const head = Buffer.alloc(5, type);
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const answer = Buffer.concat([
    message('R', Buffer.alloc(4)),
    message('Z', Buffer.from('I')),
    message('E', Buffer.from(fatal)),
  ]);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `postgres://me@127.0.0.1:${(server.address() as AddressInfo).port}/db`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test('a server that stops just as a connection opens fails that caller, not the process', async () => {
  await using server = await endingServer();
  const db = openDatabase({ url: server.url, name: 'test' });
  await assert.rejects(db.query(sql`select 1`), DatabaseAway);
  await db.close();
});
