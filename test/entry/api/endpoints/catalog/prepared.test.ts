import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { suite, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { PreparedAnswers, type ReadyReply, type Texts } from '../../../../../src/entry/api/ready.ts';
import { LargeBody } from '../../../../../src/platform/http/large-body.ts';
import { Slices } from '../../../../../src/platform/limits/turns.ts';
import { eventually } from '../../../../support/eventually.ts';

const text = (...pieces: string[]): Texts =>
  async function* () {
    yield* pieces;
  };

/** The bytes as a client gets them. */
async function received(body: LargeBody, read: (answer: IncomingMessage) => void = () => {}): Promise<Buffer> {
  const server = createServer((_request, response) => void body.sendTo(response.writeHead(200)));
  await once(server.listen(0), 'listening');
  try {
    const [answer] = (await once(get({ port: (server.address() as AddressInfo).port }), 'response')) as [
      IncomingMessage,
    ];
    read(answer);
    return Buffer.concat(await Array.fromAsync(answer));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const bytesOf = ({ ready }: ReadyReply) => received(ready.bytes as LargeBody);

suite('answers that are prepared', () => {
  test('are made once for all waiting requests, and once per encoding', async () => {
    const answers = new PreparedAnswers();
    let made = 0;
    const counted: Texts = async function* () {
      made += 1;
      yield 'some ';
      yield 'text';
    };
    const ask = (encoding?: string) => answers.reply('key', encoding, counted);
    const [one, two] = await Promise.all([ask(), ask()]);
    assert.equal(one, two);
    assert.equal(made, 1);
    assert.equal(await ask(), one);
    const packed = await ask('gzip');
    assert.equal(made, 2);
    assert.equal(gunzipSync(await bytesOf(packed)).toString(), 'some text');
    assert.equal((await bytesOf(one)).toString(), 'some text');
    assert.equal(packed.ready.etag, `${one.ready.etag.slice(0, -1)}-gzip"`);
  });

  test('stay within their memory limit, the least recently used being dropped first, and one that is too large is not cached', async () => {
    const answers = new PreparedAnswers(3_000);
    const made: string[] = [];
    const ask = (key: string, length = 1_000) =>
      answers.reply(key, undefined, (slices) => {
        made.push(key);
        return text(key.repeat(length))(slices);
      });
    for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await ask(key);
    assert.deepEqual(made, ['a', 'b', 'c', 'd', 'b']);
    assert.equal(answers.bytes, 3_000);
    await ask('e', 3_001);
    assert.equal(answers.bytes, 3_000);
  });

  test('that fail are failures for those who wait, and the next one tries again', async () => {
    const answers = new PreparedAnswers();
    const broken: Texts = async function* () {
      yield 'half';
      throw new Error('the database is away');
    };
    const both = await Promise.allSettled([answers.reply('key', 'br', broken), answers.reply('key', 'br', broken)]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.ok(await answers.reply('key', 'br', text('whole')));
  });

  test('are made one at a time; others wait, and go on when one fails', async () => {
    const answers = new PreparedAnswers();
    const begun: string[] = [];
    const gate = Promise.withResolvers<void>();
    const held = (key: string): Texts =>
      async function* () {
        begun.push(key);
        await gate.promise;
        if (key === 'a') throw new Error('broken');
        yield key;
      };
    const all = ['a', 'b', 'c', 'd'].map((key) => answers.reply(key, undefined, held(key)));
    await new Promise(setImmediate);
    assert.deepEqual(begun, ['a']);
    gate.resolve();
    await Promise.allSettled(all);
    assert.deepEqual(begun, ['a', 'b', 'c', 'd']);
  });
});

suite('a large body', () => {
  const pieces = [1, 300_000, 2_000_000, 3].map((length, i) => Buffer.alloc(length, i + 1));

  test('arrives whole and in order, also at a client that reads late', async () => {
    const body = await LargeBody.from(Readable.from(pieces));
    assert.equal(body.length, 2_300_004);
    const whole = Buffer.concat(pieces);
    assert.ok((await received(body)).equals(whole));
    const late = await received(body, (answer) => {
      answer.pause();
      setTimeout(() => answer.resume(), 100);
    });
    assert.ok(late.equals(whole));
  });

  test('is handed over as fast as the client reads, and no further when it is gone', async () => {
    const megabytes = Array.from({ length: 64 }, () => Buffer.alloc(1024 * 1024));
    const body = await LargeBody.from(Readable.from(megabytes));
    let isOver = false;
    let waiting = 0;
    const server = createServer((_request, response) => {
      body.sendTo(response.writeHead(200)).then(() => {
        isOver = true;
      });
      setImmediate(() => {
        waiting = response.writableLength;
      });
    });
    await once(server.listen(0), 'listening');
    const [answer] = (await once(get({ port: (server.address() as AddressInfo).port }), 'response')) as [
      IncomingMessage,
    ];
    answer.pause();
    await new Promise(setImmediate);
    assert.ok(waiting <= 2 * 1024 * 1024, `${waiting} bytes wait in memory`);
    assert.equal(isOver, false);
    answer.destroy();
    await eventually('the sending has ended', async () => isOver);
    server.close();
  });
});

test('slices: one at a time, in the order they were asked for, with a rest after each, for all callers together', async () => {
  const slices = new Slices();
  const log: string[] = [];
  const ends: number[] = [];
  const work = async (name: string) => {
    for (let i = 0; i < 3; i += 1) {
      await slices.turn();
      const rested = performance.now() - (ends.at(-1) ?? 0);
      assert.ok(rested >= 1, `began ${rested} ms after the one before`);
      log.push(name);
      for (const end = performance.now() + 3; performance.now() < end; );
      assert.equal(slices.isOver(), true);
      ends.push(performance.now());
    }
  };
  await Promise.all([work('a'), work('b')]);
  await work('c');
  assert.equal(log.join(''), 'abababccc');
});
