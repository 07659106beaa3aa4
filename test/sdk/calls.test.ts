import assert from 'node:assert/strict';
import { mock, suite, test } from 'node:test';
import { inspect } from 'node:util';
import manifest from '../../sdk/package.json' with { type: 'json' };
import {
  type EndedRequest,
  type SentRequest,
  Wayfare,
  WayfareConnectionError,
  WayfareError,
  type WayfareSettings,
  WebhookRejected,
} from '../../sdk/src/wayfare.ts';

const KEY = 'esk_test_one';
const limits = { 'x-ratelimit-limit': '360', 'x-ratelimit-remaining': '12', 'x-ratelimit-reset': '34' };

/** Answers each request with the next status, and keeps what was sent. */
function server(statuses: number[], settings: Partial<WayfareSettings> = {}) {
  const sent: { url: URL; headers: Headers }[] = [];
  const wayfare = new Wayfare({
    key: KEY,
    maxRetries: 2,
    async fetch(input, init) {
      sent.push({ url: new URL(String(input)), headers: new Headers(init?.headers) });
      const status = statuses.shift() ?? 200;
      const body = status < 300 ? { result: 'ok', balance: 5 } : { result: 'fail', error: 'service_unavailable' };
      const headers = { ...limits, 'x-request-id': `req-${sent.length}`, 'retry-after': '0' };
      return new Response(JSON.stringify(body), { status, headers });
    },
    ...settings,
  });
  return { wayfare, sent };
}

suite('what came with an answer', () => {
  test('is there for who asks: request id, headers and what is left of the rate limit', async () => {
    const { wayfare } = server([]);
    assert.equal((await wayfare.account.balance()).balance, 5);
    const { data, httpStatus, requestId, rateLimit, headers } = await wayfare.account.balance().withResponse();
    assert.deepEqual([data.balance, httpStatus, requestId], [5, 200, 'req-2']);
    assert.deepEqual(rateLimit, { limit: 360, remaining: 12, resetSeconds: 34 });
    assert.equal(headers.get('x-request-id'), 'req-2');
    assert.ok((await wayfare.webhook.deliveries().withResponse()).requestId);
  });

  test('without such headers there is no rate limit', async () => {
    const { wayfare } = server([], { fetch: async () => new Response('{"result":"ok"}') });
    const { requestId, rateLimit } = await wayfare.account.balance().withResponse();
    assert.deepEqual([requestId, rateLimit], [undefined, undefined]);
  });

  test('a call that fails fails once, whichever of the two is awaited', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const { wayfare } = server([404, 404]);
      await assert.rejects(wayfare.account.balance().withResponse(), WayfareError);
      await assert.rejects(wayfare.account.balance(), WayfareError);
      await new Promise(setImmediate);
      assert.deepEqual(unhandled, []);
    } finally {
      process.off('unhandledRejection', note);
    }
  });
});

suite('hooks', () => {
  test('see every attempt and how it ended, and never the key', async () => {
    const requests: SentRequest[] = [];
    const responses: EndedRequest[] = [];
    const { wayfare, sent } = server([503, 200], {
      onRequest: (request) => {
        request.headers.set('traceparent', `00-${request.attempt}`);
        requests.push(request);
      },
      onResponse: (response) => responses.push(response),
    });
    await wayfare.purchase.buy({ product_id: 'esc_1', idempotency_key: 'b-1' });
    assert.deepEqual(
      requests.map(({ verb, path, attempt, idempotencyKey }) => [verb, path, attempt, idempotencyKey]),
      [
        ['POST', 'purchase/buy', 1, 'b-1'],
        ['POST', 'purchase/buy', 2, 'b-1'],
      ],
    );
    assert.deepEqual(
      responses.map(({ request, httpStatus, requestId, rateLimit, error }) => [
        request.attempt,
        httpStatus,
        requestId,
        rateLimit?.remaining,
        error instanceof WayfareError && error.code,
      ]),
      [
        [1, 503, 'req-1', 12, 'service_unavailable'],
        [2, 200, 'req-2', 12, false],
      ],
    );
    assert.ok(responses.every(({ durationMs }) => durationMs >= 0));
    assert.deepEqual(
      sent.map(({ headers }) => headers.get('traceparent')),
      ['00-1', '00-2'],
    );
    assert.ok(!inspect([requests, responses], { depth: 9 }).includes(KEY));
  });

  test('are called for a failed connection and for an aborted call', async () => {
    const responses: EndedRequest[] = [];
    const onResponse = (response: EndedRequest) => responses.push(response);
    const broken = server([], {
      onResponse,
      maxRetries: 0,
      fetch: () => Promise.reject(new TypeError('fetch failed')),
    });
    await assert.rejects(broken.wayfare.account.balance(), WayfareConnectionError);
    assert.ok(responses[0]?.error instanceof WayfareConnectionError && responses[0].httpStatus === undefined);
    const hung = server([], { onResponse, fetch: () => new Promise(() => {}) });
    const reason = new Error('the customer left');
    const controller = new AbortController();
    const call = hung.wayfare.account.balance({}, { signal: controller.signal });
    controller.abort(reason);
    await assert.rejects(call, reason);
    assert.equal(responses[1]?.error, reason);
  });

  test('one that throws changes nothing about the call', async () => {
    const logged = mock.method(console, 'error', () => {});
    const fail = () => {
      throw new Error('no log');
    };
    try {
      const { wayfare, sent } = server([], { onRequest: fail, onResponse: fail });
      assert.equal((await wayfare.account.balance()).balance, 5);
      assert.equal(sent.length, 1);
      assert.equal(logged.mock.callCount(), 2);
    } finally {
      logged.mock.restore();
    }
  });
});

suite('what is sent', () => {
  test('a call can have a key of its own, which decides the address like any other', async () => {
    const { wayfare, sent } = server([]);
    await wayfare.account.balance({}, { key: 'esk_two' });
    await wayfare.account.balance();
    assert.deepEqual(
      sent.map(({ url, headers }) => [url.port, headers.get('x-api-key')]),
      [
        ['4020', 'esk_two'],
        ['4010', KEY],
      ],
    );
  });

  test('the user agent names the SDK with its version, and your program', async () => {
    for (const [settings, wanted] of [
      [{}, `wayfare-sdk/${manifest.version}`],
      [{ userAgent: 'shop/1.4' }, `shop/1.4 wayfare-sdk/${manifest.version}`],
    ] as const) {
      const { wayfare, sent } = server([], settings);
      await wayfare.account.balance();
      assert.equal(sent[0]?.headers.get('user-agent'), wanted);
    }
  });

  test('true, 1 and "1" are the same, and so are false, 0 and "0"', async () => {
    const { wayfare, sent } = server([]);
    for (const yes of [true, 1, '1'] as const)
      await wayfare.catalog.products({ country: 'FR', all_variants: yes, unlimited: yes });
    for (const no of [false, 0, '0'] as const)
      await wayfare.catalog.products({ country: 'FR', all_variants: no, unlimited: no });
    assert.deepEqual(
      sent.map(({ url }) => [url.searchParams.get('all_variants'), url.searchParams.get('unlimited')]),
      [...Array(3).fill(['1', '1']), ...Array(3).fill(['0', '0'])],
    );
    // @ts-expect-error: no other number means anything.
    void (() => wayfare.catalog.products({ country: 'FR', all_variants: 2 }));
    // @ts-expect-error: only where the API takes 0 and 1.
    void (() => wayfare.catalog.products({ country: true }));
  });
});

suite('request(), for what is newer than the SDK', () => {
  test('fields and options are sent as by a method, and the answer comes with its response', async () => {
    const { wayfare, sent } = server([]);
    const fields = { country: 'FR', fast: true, tags: ['a', 'b'] };
    const { data, requestId } = await wayfare
      .request<{ balance: number }>('GET', '/catalog/novelties/17', fields, { key: 'esk_test_two' })
      .withResponse();
    assert.deepEqual([data.balance, requestId], [5, 'req-1']);
    assert.equal(sent[0]?.url.pathname, '/v3/catalog/novelties/17');
    assert.equal(sent[0]?.url.search, '?country=FR&fast=1&tags=a%2Cb');
    assert.equal(sent[0]?.headers.get('x-api-key'), 'esk_test_two');
  });

  test('a read is repeated; a POST only where that is safe: because it is known to be, or because of its key', async () => {
    for (const [verb, path, fields, attempts] of [
      ['GET', 'order/novelty', {}, 2],
      ['POST', 'order/novelty', {}, 1],
      ['POST', 'order/novelty', { idempotency_key: 'mine' }, 2],
      ['POST', 'order/refund', { order_id: 1 }, 2],
      ['POST', 'account/topup', { amount: 10, idempotency_key: 'mine' }, 1],
      ['POST', 'purchase/buy', { product_id: 'esc_1' }, 2],
      ['POST', 'purchase/novelty', {}, 2],
    ] as const) {
      const keys: unknown[] = [];
      const { wayfare, sent } = server([503, 200], { onRequest: ({ idempotencyKey }) => keys.push(idempotencyKey) });
      await wayfare.request(verb, path, fields).catch(() => {});
      assert.equal(sent.length, attempts, `${verb} ${path}`);
      assert.equal(new Set(keys).size, 1, 'the key stays the same');
      assert.equal(keys[0] !== undefined, path.startsWith('purchase/') || 'idempotency_key' in fields);
    }
  });

  test('only a path of the API is accepted', () => {
    const { wayfare, sent } = server([]);
    for (const path of ['', 'http://elsewhere.example/x', 'order/../../x', 'order/get?x=1', '//elsewhere.example'])
      assert.throws(() => wayfare.request('GET', path), TypeError, path);
    assert.equal(sent.length, 0);
  });
});

test('autoPagingToArray reads page after page, and never more rows than you allow', async () => {
  let id = 100;
  const { wayfare } = server([], {
    fetch: async () => {
      const order = [{ id: String(id--) }, { id: String(id--) }];
      return new Response(JSON.stringify({ result: 'ok', order, has_more: id > 90 }));
    },
  });
  const rows = await wayfare.order.all({ limit: 2 }).autoPagingToArray({ limit: 3 });
  assert.deepEqual(
    rows.map(({ id: one }) => one),
    ['100', '99', '98'],
  );
  assert.equal(id, 96, 'two pages were read');
  assert.equal((await wayfare.order.all().autoPagingToArray({ limit: 10_000 })).length, 6, 'to the end');
  for (const limit of [0, -1, 1.5, 10_001, Number.NaN, undefined])
    await assert.rejects(wayfare.order.all().autoPagingToArray({ limit: limit as number }), /a limit from 1 to 10000/);
});

test('errors are called what the documentation calls them: by name, by class, and where they are printed', async () => {
  const { wayfare } = server([404]);
  const refused = await wayfare.account.balance().catch((error) => error);
  for (const [error, name] of [
    [refused, 'WayfareError'],
    [new WayfareConnectionError('x'), 'WayfareConnectionError'],
    [new WebhookRejected('not_json'), 'WebhookRejected'],
  ] as const) {
    assert.deepEqual([error.name, error.constructor.name], [name, name]);
    assert.ok(inspect(error).startsWith(`${name}: `));
    assert.ok(String(error).startsWith(`${name}: `));
  }
});
