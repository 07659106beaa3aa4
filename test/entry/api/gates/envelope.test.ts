import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, suite, test } from 'node:test';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { type Ask, testApp } from '../../../support/program/app.ts';
import { rateHeaders, refused, sandbox } from '../../../support/refusal.ts';
import { sendAllRaw, sendRaw } from '../../../support/servers/raw.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const UNKNOWN_KEYS = { live: `esk_${'0'.repeat(40)}`, sandbox: `esk_test_${'0'.repeat(40)}` };

const t = await testApp();
after(() => t[Symbol.asyncDispose]());

suite('in the envelope', { concurrency: true }, () => {
  suite('broken HTTP gets the envelope too', { concurrency: true }, () => {
    const cases: Record<string, string[]> = {
      'not HTTP at all': ['\x16\x03\x01\x02\x00\x01\x00'],
      'headers over 16 KiB': [`GET /v3/x HTTP/1.1\r\nHost: sandbox.test\r\nx: ${'a'.repeat(17 * 1024)}\r\n\r\n`],
      'a content-length that is no number': [
        'POST /v3/x HTTP/1.1\r\nhost: sandbox.test\r\ncontent-length: many\r\n\r\n',
      ],
      'two lengths': [
        'POST /v3/x HTTP/1.1\r\nhost: sandbox.test\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      ],
      CONNECT: ['CONNECT sandbox.test:80 HTTP/1.1\r\nhost: sandbox.test\r\n\r\n'],
      'a chunk that is none': [
        'POST /v3/x HTTP/1.1\r\nhost: sandbox.test\r\ntransfer-encoding: chunked\r\n\r\n',
        'not a chunk\r\n',
      ],
      // Waits for the header time-out, 10 s.
      'a client that never finishes its headers': ['GET /v3/x HTTP/1.1\r\nhost: sandbox.test\r\n'],
    };
    for (const [name, pieces] of Object.entries(cases)) {
      test(name, async () => {
        const answer = await sendRaw(t.port, ...pieces);
        const host = pieces.some((piece) => /^host: sandbox/im.test(piece)) && !name.startsWith('a client');
        refused(answer, 'malformed_request', host && name !== 'CONNECT' ? sandbox : {});
        assert.equal(answer.headers.connection, 'close');
      });
    }
    test('a client that sends nothing gets nothing', async () => {
      const socket = connect(t.port, '127.0.0.1');
      assert.equal(await text(socket), '');
    });
  });

  test('success: result, code, title, api_version and the answer; livemode false only in the sandbox', async () => {
    const partner = await t.partner();
    const [live, play] = [await t.key(partner), await t.key(partner, 'sandbox')];
    const envelope = { result: 'ok', code: '200', title: 'Successful', api_version: 3 };
    assert.deepEqual((await t.get('/account/balance', { key: live })).body, { ...envelope, balance: 0 });
    assert.deepEqual((await t.get('/account/balance', { key: play })).body, { ...envelope, ...sandbox, balance: 1000 });
    const ready = (await t.get('/catalog/countries', { key: play })).body;
    assert.deepEqual(ready, { ...envelope, ...sandbox, count: 0, countries: [] });
  });

  test('the sandbox host says livemode false whatever went wrong; on the legacy host the key sent decides', async () => {
    const asks: [string, Ask][] = [
      ['/account/balance', {}],
      ['/account/balance', { key: 'no key at all' }],
      ['/account/balance?x=%', {}],
      [
        '/account/balance',
        { key: UNKNOWN_KEYS.sandbox, method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } },
      ],
      ['/nothing', { key: UNKNOWN_KEYS.sandbox }],
    ];
    for (const [path, ask] of asks) {
      const onSandbox = (await t.get(path, { ...ask, host: 'sandbox' })).body;
      assert.equal(onSandbox.livemode, false, onSandbox.error);
      assert.equal('livemode' in (await t.get(path, { ...ask, host: 'live' })).body, false);
    }
    refused(await t.ask('/elsewhere', { host: 'sandbox', method: 'POST' }), 'unknown_endpoint', sandbox);
    refused(await t.get('/account/balance', { host: 'legacy' }), 'api_key_required');
    refused(await t.get('/account/balance', { host: 'legacy', key: UNKNOWN_KEYS.live }), 'invalid_api_key');
    refused(await t.get('/account/balance', { host: 'legacy', key: UNKNOWN_KEYS.sandbox }), 'invalid_api_key', sandbox);
  });

  test('the legacy host takes both kinds of key, and the key picks the world', async () => {
    const partner = await t.partner();
    const live = await t.get('/account/balance', { host: 'legacy', key: await t.key(partner) });
    const play = await t.get('/account/balance', { host: 'legacy', key: await t.key(partner, 'sandbox') });
    assert.deepEqual([live.body.balance, 'livemode' in live.body], [0, false]);
    assert.deepEqual([play.body.balance, play.body.livemode], [1000, false]);
  });

  test('HEAD answers as GET: same status and headers, the length of the body, and no body', async () => {
    const key = await t.key(await t.partner(), 'sandbox');
    for (const [path, status] of [
      ['/account/balance', 200],
      ['/account/nothing', 404],
      ['/webhook/test', 405],
      ['/openapi.json', 200],
    ] as const) {
      const [get, head] = [await t.get(path, { key }), await t.get(path, { key, method: 'HEAD' })];
      assert.deepEqual([get.status, head.status, head.text], [status, status, '']);
      assert.equal(head.headers['content-length'], String(Buffer.byteLength(get.text)));
      assert.equal(head.headers['content-type'], get.headers['content-type']);
    }
  });

  test('an unknown host: 404 in the envelope, with the headers of every answer', async () => {
    const host = { authority: 'elsewhere.test' };
    const answer = await t.ask('/v3/account/balance', { host });
    refused(answer, 'unknown_endpoint');
    assert.deepEqual([rateHeaders(answer).limit, rateHeaders(answer).remaining], [360, 360]);
    assert.equal((await t.ask('/v3/account/balance', { host, method: 'HEAD' })).text, '');
  });

  test('413 over 64 KiB, by its length or as it arrives; exactly 64 KiB is read', async () => {
    const key = await t.key(await t.partner(), 'sandbox');
    const most = `x=${'a'.repeat(64 * 1024 - 2)}`;
    const wrongVerb = { ...sandbox, allow: 'GET', ignored: ['x'] };
    refused(await t.post('/account/balance', most, { key }), 'method_not_allowed', wrongVerb);
    refused(await t.post('/account/balance', `${most}a`, { key }), 'body_too_large', sandbox);
    const head = `POST /v3/webhook/test HTTP/1.1\r\nhost: sandbox.test\r\nx-api-key: ${key}\r\nconnection: close\r\n`;
    const type = 'content-type: application/x-www-form-urlencoded\r\n';
    const chunk = `8000\r\n${'a'.repeat(0x8000)}\r\n`;
    const chunked = await sendRaw(
      t.port,
      `${head}${type}transfer-encoding: chunked\r\n\r\n`,
      chunk,
      chunk,
      chunk,
      '0\r\n\r\n',
    );
    refused(chunked, 'body_too_large', sandbox);
  });

  test('413 reaches a client that first sends all it has', async () => {
    const body = Buffer.alloc(8 * 1024 * 1024, 'a');
    const head = `POST /v3/webhook/test HTTP/1.1\r\nhost: live.test\r\nx-api-key: ${UNKNOWN_KEYS.live}\r\n`;
    const next = 'GET /v3/nothing HTTP/1.1\r\nhost: live.test\r\nconnection: close\r\n\r\n';
    const answers = await sendAllRaw(t.port, `${head}content-length: ${body.length}\r\n\r\n`, body, next);
    // The connection is still good for what comes after.
    assert.deepEqual(
      answers.map((answer) => answer.body.error),
      ['body_too_large', 'api_key_required'],
    );
  });

  test('415: a body that is not a form, or is compressed; no body at all needs no type', async () => {
    const key = await t.key(await t.partner(), 'sandbox');
    for (const headers of [
      { 'content-type': 'application/json' },
      { 'content-type': 'multipart/form-data; boundary=x' },
      { 'content-type': 'application/x-www-form-urlencoded-not' },
      { ...FORM, 'content-encoding': 'gzip' },
      {},
    ]) {
      const answer = await t.get('/webhook/test', { key, method: 'POST', body: 'x=1', headers });
      refused(answer, 'unsupported_media_type', sandbox);
    }
    for (const type of ['application/x-www-form-urlencoded; charset=utf-8', 'Application/X-WWW-Form-Urlencoded']) {
      const answer = await t.get('/webhook/test', {
        key,
        method: 'POST',
        body: 'x=1',
        headers: { 'content-type': type },
      });
      refused(answer, 'no_subscription', { ...sandbox, ignored: ['x'] });
    }
    refused(await t.get('/webhook/test', { key, method: 'POST' }), 'no_subscription', sandbox);
  });

  test('400 malformed_request: broken percent signs and bytes that are no UTF-8, in query, body and path', async () => {
    const key = await t.key(await t.partner(), 'sandbox');
    for (const broken of ['%', '%4', '%zz', '%ff', '%c3%28', '%ed%a0%80', '%f5%80%80%80', '%c0%80']) {
      for (const query of [`x=${broken}`, `${broken}=x`]) {
        refused(await t.get(`/account/balance?${query}`, { key }), 'malformed_request', sandbox);
        refused(await t.post('/webhook/test', query, { key }), 'malformed_request', sandbox);
      }
      for (const path of [`/catalog/product/${broken}`, `/catalog/${broken}`, `/${broken}/x/y/z`]) {
        refused(await t.get(path, { key }), 'malformed_request', sandbox);
      }
    }
    refused(await t.get(`/account/balance?x=${'a'.repeat(9 * 1024)}`, { key }), 'malformed_request', sandbox);
    const raw = Buffer.concat([Buffer.from('x='), Buffer.from([0xff])]);
    const sent = { key, method: 'POST', body: raw, headers: FORM };
    refused(await t.get('/webhook/test', sent), 'malformed_request', sandbox);
  });

  test('requests that Node would answer itself get our envelope: no Host, an unknown expectation', async () => {
    refused(await sendRaw(t.port, 'GET /v3/x HTTP/1.1\r\nconnection: close\r\n\r\n'), 'unknown_endpoint');
    const expecting = 'GET /v3/x HTTP/1.1\r\nhost: sandbox.test\r\nexpect: a miracle\r\nconnection: close\r\n\r\n';
    refused(await sendRaw(t.port, expecting), 'api_key_required', sandbox);
  });

  test('a broken request behind a good one does not take its answer', async () => {
    const good = 'GET /v3/account/balance HTTP/1.1\r\nhost: sandbox.test\r\n\r\n';
    refused(await sendRaw(t.port, `${good}not HTTP\r\n\r\n`), 'api_key_required', sandbox);
  });

  test('a database that refuses a statement: the code of the endpoint where it has one, else 500, logged once with the id', async () => {
    await using broken = await testApp();
    const partner = await broken.partner();
    const [live, play] = [await broken.key(partner), await broken.key(partner, 'sandbox')];
    for (const schema of ['live', 'sandbox']) {
      await broken.base.db.tx(async (tx) => {
        await tx.run(sql`select set_config('search_path', ${schema}, true)`);
        await tx.run(sql`alter table wallets rename to wallets_away`);
      });
    }
    const answer = await broken.get('/account/balance', { key: live });
    refused(answer, 'internal_error');
    refused(await broken.get('/account/balance', { key: play }), 'sandbox_balance_read_failed', sandbox);
    const id = String(answer.headers['x-request-id']);
    const errors = broken.logged.filter((line) => line.includes(id)).map((line) => JSON.parse(line));
    assert.deepEqual(
      errors.map(({ level, msg }) => [level, msg]),
      [
        ['error', 'request failed'],
        ['info', 'request'],
      ],
    );
    assert.equal(errors[0].err.code, '42P01');
    assert.ok(!answer.text.includes('wallets'), 'nothing of the fault reaches the caller');
  });
});
