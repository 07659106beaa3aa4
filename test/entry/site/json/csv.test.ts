import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { suite, test } from 'node:test';
import { csvDownload, csvLine, csvPieces, Downloads, inPages } from '../../../../src/entry/site/json/csv.ts';
import { type SiteReply, serveSite } from '../../../../src/entry/site/routes.ts';
import { TooManyAttempts } from '../../../../src/platform/contract/refused.ts';
import { StreamedBody } from '../../../../src/platform/http/large-body.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { eventually } from '../../../support/eventually.ts';

suite('a line', () => {
  const cases: [string, Parameters<typeof csvLine>[0], string][] = [
    ['ends with CRLF and leaves null empty', ['a', null, 1, 12345678901234567890n], 'a,,1,12345678901234567890'],
    ['quotes commas, quotes and line breaks', ['a,b', 'say "hi"', 'two\r\nlines'], '"a,b","say ""hi""","two\r\nlines"'],
    ['quotes what other separators would split', ['a;b', 'a\tb', ' a ', ''], '"a;b","a\tb"," a ",'],
    ['defuses formulas', ['=1+1', '+1-1', '-1+1', '@SUM(A1)'], "'=1+1,'+1-1,'-1+1,'@SUM(A1)"],
    ['defuses a formula behind a tab or line break', ['\t=1', '\r=1', '\n=1'], `"'\t=1","'\r=1","'\n=1"`],
    ['defuses full-width signs, which some spreadsheets take for plain ones', ['＝1', '＠a'], "'＝1,'＠a"],
    ['quotes a formula that it defused', ['=HYPERLINK("x","y")'], `"'=HYPERLINK(""x"",""y"")"`],
    ['keeps negative amounts numbers', ['-2.59', -3, '-2.59-1'], "-2.59,-3,'-2.59-1"],
  ];
  for (const [rule, cells, line] of cases)
    test(rule, () => {
      assert.equal(csvLine(cells), `${line}\r\n`);
    });
});

async function* numbers(below: number, stopped: () => void = () => {}) {
  try {
    for (let i = 0; i < below; i += 1) yield [i, 'x'.repeat(100)];
  } finally {
    stopped();
  }
}

const textOf = async (pieces: AsyncIterable<string>) => (await Array.fromAsync(pieces)).join('');

test('a file begins with the byte order mark that Excel looks for, and its header', async () => {
  const text = await textOf(csvPieces(csvDownload('x', ['id', 'größe'], numbers(0))));
  assert.equal(text, '\ufeffid,größe\r\n');
});

test('a file that would be too long says so in its last line; one that just fits does not', async () => {
  const lines = async (count: number) =>
    (await textOf(csvPieces(csvDownload('x', ['id', 'x'], numbers(count)), 3))).trimEnd().split('\r\n');
  assert.equal((await lines(3)).length, 4);
  assert.match((await lines(4)).at(-1) ?? '', /^"This file ends after 3 rows, and there are more/);
});

test('pages are read one after the other, until one is empty', async () => {
  const pages = [[1, 2], [3], []];
  const asked: (number | undefined)[] = [];
  const rows = inPages<number>(async (last) => {
    asked.push(last);
    return pages[asked.length - 1] ?? [];
  });
  assert.deepEqual(await Array.fromAsync(rows), [1, 2, 3]);
  assert.deepEqual(asked, [undefined, 2, 3]);
});

suite('downloads', async () => {
  const downloads = new Downloads();
  let reply: () => Promise<SiteReply>;
  const log = createLog('fatal', () => {});
  const handle = serveSite([{ verb: 'GET', path: '/x', handle: () => reply() }], { log });
  const failed: unknown[] = [];
  const server = createServer((request, response) => {
    handle(request, response).catch((error) => {
      failed.push(error);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const get = (method = 'GET') => fetch(`http://127.0.0.1:${port}/x`, { method });

  test('are streamed as attachments, whole', async () => {
    reply = () => downloads.reply(csvDownload('orders-2026-11', ['n', 'x'], numbers(5_000)), '1');
    const answer = await get();
    assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="orders-2026-11.csv"');
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(answer.headers.get('cache-control'), 'private, no-store');
    assert.equal((await answer.text()).split('\r\n').length, 5_002);
    assert.equal((await get('HEAD')).status, 200, 'and asking for the head gives the place back');
  });

  test('two of one partner at once; the next one can try again, and other partners are not concerned', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* waiting() {
      yield [1];
      await held;
    }
    // Enough for a first piece, so that the head is sent while the rest is waiting.
    const big = async function* () {
      yield ['x'.repeat(40_000)];
      yield* waiting();
    };
    reply = () => downloads.reply(csvDownload('x', ['n'], big()), '7');
    const running = [await get(), await get()];
    await assert.rejects(downloads.reply(csvDownload('x', ['n'], big()), '7'), TooManyAttempts);
    reply = () => downloads.reply(csvDownload('x', ['n'], numbers(1)), '8');
    assert.equal((await (await get()).text()).split('\r\n').length, 3);
    release();
    for (const answer of running) await answer.text();
    reply = () => downloads.reply(csvDownload('x', ['n'], numbers(1)), '7');
    assert.equal((await get()).status, 200);
  });

  test('a client that hangs up stops the reading, and its place is free', async () => {
    let read = 0;
    let stopped = 0;
    async function* counted() {
      for await (const row of numbers(10_000_000, () => (stopped += 1))) {
        read += 1;
        yield row;
      }
    }
    reply = () => downloads.reply(csvDownload('x', ['n', 'x'], counted()), '9');
    for (let i = 0; i < 3; i += 1) {
      const client = connect(port, '127.0.0.1');
      client.write('GET /x HTTP/1.1\r\nhost: x\r\n\r\n');
      await once(client, 'data');
      client.pause();
      client.destroy();
      await eventually('the reading stops', async () => stopped === i + 1);
    }
    assert.ok(read < 3_000_000, `only what fitted the sockets was read, not all of it: ${read} rows`);
  });

  test('a source that fails at once is an error; one that fails later breaks the transfer off', async () => {
    async function* broken(rows: number) {
      yield* numbers(rows);
      throw new Error('lost the database');
    }
    for (let i = 0; i < 3; i += 1)
      await assert.rejects(downloads.reply(csvDownload('x', ['n', 'x'], broken(0)), '5'), /lost the database/);
    reply = () => downloads.reply(csvDownload('x', ['n', 'x'], broken(1_000)), '5');
    for (let i = 0; i < 3; i += 1) {
      const answer = await get();
      assert.equal(answer.status, 200);
      await assert.rejects(answer.text());
    }
    assert.equal(failed.length, 3);
  });

  test('a client that takes too long is cut off', async () => {
    let ended = 0;
    reply = async () => ({
      status: 200,
      type: 'text/csv',
      body: await StreamedBody.begin(forever(), { limitMs: 20, onEnd: () => (ended += 1) }),
    });
    async function* forever() {
      for (;;) {
        yield 'x';
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    await assert.rejects(get().then((answer) => answer.text()));
    await eventually('it ends', async () => ended === 1);
  });

  test.after(() => server.close());
});
