import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock, suite, test } from 'node:test';
import { newestFirst } from '../../sdk/src/pages.ts';
import { Wayfare, WayfareConnectionError, WayfareError } from '../../sdk/src/wayfare.ts';

type Step =
  | number
  | 'hang up'
  | 'hang'
  | { status: number; error?: string; headers?: Record<string, string>; text?: string };

/** Answers with one step after the other, and keeps what was sent. */
function scripted(...steps: Step[]) {
  const sent: { url: string; form: URLSearchParams }[] = [];
  const script = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    sent.push({ url: String(input), form: new URLSearchParams(String(init?.body ?? '')) });
    const step = steps[sent.length - 1];
    assert.ok(step !== undefined, 'one request more than expected');
    if (step === 'hang up') throw new TypeError('fetch failed');
    if (step === 'hang')
      return new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    const { status, error, headers = {}, text } = typeof step === 'number' ? { status: step } : step;
    const fail = { result: 'fail', error: error ?? 'internal_error' };
    return new Response(text ?? JSON.stringify(status < 300 ? { result: 'ok', balance: 5 } : fail), {
      status,
      headers,
    });
  };
  return { sent, wayfare: (more = {}) => new Wayfare({ key: 'esk_test_x', fetch: script, ...more }) };
}

const limited = (seconds?: number): Step => ({
  status: 429,
  error: 'rate_limited',
  headers: seconds === undefined ? {} : { 'retry-after': String(seconds) },
});
const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => assert.fail('it succeeded'),
    (thrown) => thrown,
  );
const product_id = 'esc_0123456789abcdef';

/** Time passes as soon as somebody waits for it; returns how long each wait was. */
async function quickly<T>(work: () => Promise<T>): Promise<{ result: T; waits: number[] }> {
  const waits: number[] = [];
  const real = setTimeout;
  const timer = mock.method(globalThis, 'setTimeout', ((then: () => void, ms: number) => {
    // The time limit of an attempt, which is not waited for.
    if (ms === 30_000) return real(() => {}, 0);
    waits.push(ms);
    return real(then, 0);
  }) as typeof setTimeout);
  try {
    return { result: await work(), waits };
  } finally {
    timer.mock.restore();
  }
}

suite("the contract's retry rules", () => {
  test('429 is sent again after Retry-After, whatever the call', async () => {
    const { sent, wayfare } = scripted(limited(7), 200);
    const { waits } = await quickly(() => wayfare().account.topup({ amount: 50 }));
    assert.deepEqual(waits, [7000]);
    assert.equal(sent.length, 2);
  });

  test('without Retry-After it waits for the next minute', async () => {
    const { wayfare } = scripted(limited(), 200);
    const { waits } = await quickly(() => wayfare().account.balance());
    assert.equal(waits.length, 1);
    assert.ok(waits[0] !== undefined && waits[0] > 0 && waits[0] <= 60_000);
  });

  test('a wait of more than two minutes is left to the caller', async () => {
    const { sent, wayfare } = scripted(limited(121));
    const thrown = await failure(wayfare().account.balance());
    assert.ok(thrown instanceof WayfareError && thrown.code === 'rate_limited');
    assert.equal(sent.length, 1);
  });

  test('a purchase keeps its idempotency key over all attempts, and two purchases differ', async () => {
    const { sent, wayfare } = scripted(
      500,
      { status: 409, error: 'charge_in_progress' },
      { status: 503, error: 'service_unavailable', headers: { 'retry-after': '2' } },
      200,
      200,
    );
    const { waits } = await quickly(() => wayfare().purchase.buy({ product_id }));
    assert.equal(waits[2], 2000);
    await wayfare().purchase.buy({ product_id });
    const keys = sent.map(({ form }) => form.get('idempotency_key'));
    assert.match(keys[0] ?? '', /^[0-9a-f-]{36}$/);
    assert.deepEqual(keys.slice(0, 4), Array(4).fill(keys[0]));
    assert.notEqual(keys[4], keys[0]);
  });

  test('your own key is sent as it is, and named by the error', async () => {
    const { sent, wayfare } = scripted('hang up');
    const call = wayfare().purchase.refill({ iccid: '1', product_id, idempotency_key: 'b-1' }, { maxRetries: 0 });
    const error = await failure(call);
    assert.ok(error instanceof WayfareConnectionError);
    assert.equal(error.idempotencyKey, 'b-1');
    assert.equal(sent[0]?.form.get('idempotency_key'), 'b-1');
  });

  test('a refund is sent again: an order has one request at most, however often it is asked for', async () => {
    const { sent, wayfare } = scripted('hang up', { status: 503, error: 'service_unavailable' }, 200);
    await quickly(() => wayfare().order.refund({ order_id: 1 }));
    assert.equal(sent.length, 3);
  });

  test('500 is sent again once', async () => {
    const { sent, wayfare } = scripted(500, 500);
    const { result } = await quickly(() => failure(wayfare().order.get()));
    assert.ok(result instanceof WayfareError && result.code === 'internal_error');
    assert.equal(sent.length, 2);
  });

  test('what is not idempotent is sent once after 500, 503, a proxy’s error or no answer', async () => {
    const failures: Step[] = [500, { status: 503, error: 'service_unavailable' }, { status: 502, text: '' }, 'hang up'];
    for (const step of failures) {
      const calls = [
        (wayfare: Wayfare) => wayfare.account.topup({ amount: 50 }),
        (wayfare: Wayfare) => wayfare.account.sandboxBalance({ operation: 'add', amount: 1 }),
        (wayfare: Wayfare) => wayfare.webhook.test(),
      ];
      for (const call of calls) {
        const { sent, wayfare } = scripted(step);
        await failure(call(wayfare()));
        assert.equal(sent.length, 1);
      }
    }
  });

  test('other refusals are final', async () => {
    for (const [status, error] of [
      [409, 'charge_incomplete'],
      [409, 'idempotency_key_conflict'],
      [402, 'insufficient_balance'],
      [404, 'product_not_found'],
    ] as const) {
      const { sent, wayfare } = scripted({ status, error });
      const thrown = await failure(wayfare().purchase.buy({ product_id }));
      assert.ok(thrown instanceof WayfareError && thrown.code === error);
      assert.equal(sent.length, 1);
    }
  });

  test('no answer, and the errors of a proxy, are repeated up to maxRetries, each wait longer than a quarter second', async () => {
    const { sent, wayfare } = scripted('hang up', { status: 502, text: '<html>' }, 'hang up');
    const { result, waits } = await quickly(() => failure(wayfare({ maxRetries: 2 }).account.balance()));
    assert.ok(result instanceof WayfareConnectionError && !result.isTimeout);
    assert.ok(result.cause instanceof TypeError);
    assert.equal(sent.length, 3);
    assert.ok(
      waits.every((ms) => ms >= 250 && ms <= 1000),
      String(waits),
    );
  });

  test('what is no answer of the API is an error even with status 200', async () => {
    for (const text of ['<html>', '[]', 'null', '{"balance":5}']) {
      const { wayfare } = scripted({ status: 200, text });
      const thrown = await failure(wayfare().account.balance());
      assert.ok(thrown instanceof WayfareConnectionError, text);
      assert.equal(thrown.httpStatus, 200);
    }
  });
});

test('lists paged by number skip what new rows pushed to the next page', async () => {
  const pages = [[9, 8], [8, 7], [7, 6], [5]];
  const asked: number[] = [];
  const rows = newestFirst(2, async (start) => {
    asked.push(start);
    return (pages[start - 1] ?? []).map((id) => ({ id }));
  });
  assert.deepEqual(await Array.fromAsync(rows, ({ id }) => id), [9, 8, 7, 6, 5]);
  assert.deepEqual(asked, [1, 2, 3, 4]);
});

suite('time-outs and abort signals', () => {
  test('an attempt that takes too long ends; a read is tried again', async () => {
    const { sent, wayfare } = scripted('hang', 200);
    assert.equal((await wayfare({ timeoutMs: 20 }).account.balance()).balance, 5);
    assert.equal(sent.length, 2);
    const hung = scripted('hang').wayfare({ timeoutMs: 20 });
    const thrown = await failure(hung.account.topup({ amount: 50 }));
    assert.ok(thrown instanceof WayfareConnectionError && thrown.isTimeout);
  });

  test('a fetch that ignores its signal is left behind', async () => {
    const deaf = new Wayfare({ key: 'esk_test_x', fetch: () => new Promise(() => {}), timeoutMs: 10, maxRetries: 0 });
    const thrown = await failure(deaf.account.balance());
    assert.ok(thrown instanceof WayfareConnectionError && thrown.isTimeout);
  });

  test('an abort ends the call with its reason: before it, during an attempt, and between two', async () => {
    const reason = new Error('the customer left');
    const { sent, wayfare } = scripted('hang', limited(60));
    assert.equal(await failure(wayfare().account.balance({}, { signal: AbortSignal.abort(reason) })), reason);
    assert.equal(sent.length, 0);
    for (const _ of ['during', 'between']) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 30);
      assert.equal(await failure(wayfare().account.balance({}, { signal: controller.signal })), reason);
    }
    assert.equal(sent.length, 2);
  });
});

suite('settings', () => {
  test('a key is needed, and decides the address by default', async () => {
    assert.throws(() => new Wayfare({ key: undefined }), /needs an API key/);
    const { sent, wayfare } = scripted(200, 200, 200);
    await wayfare().account.balance();
    await wayfare({ key: 'esk_x' }).account.balance();
    await wayfare({ baseUrl: new URL('https://api.example.com/v3/') }).order.get({ limit: 5, reference: 'a&b' });
    assert.deepEqual(
      sent.map(({ url }) => url),
      [
        'http://localhost:4010/v3/account/balance',
        'http://localhost:4020/v3/account/balance',
        'https://api.example.com/v3/order/get?limit=5&reference=a%26b',
      ],
    );
  });

  test('a redirect is not followed: it would carry the key to another address', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(301, { location: '/elsewhere' }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const thrown = await failure(new Wayfare({ key: 'esk_test_x', baseUrl }).account.balance());
      assert.ok(thrown instanceof WayfareConnectionError && thrown.httpStatus === 301);
      assert.ok(thrown.message.includes(`Is ${baseUrl} its address?`));
      assert.deepEqual(asked, ['/account/balance']);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('what a customer typed cannot leave its place in the path', async () => {
    const { sent, wayfare } = scripted(200);
    await wayfare().order.usage('../account/balance?x=1');
    assert.equal(sent[0]?.url, 'http://localhost:4010/v3/order/usage/..%2Faccount%2Fbalance%3Fx%3D1');
  });

  test('types hold fields to the contract', () => {
    const { wayfare } = scripted();
    const calls = () => {
      // @ts-expect-error: a purchase needs a product.
      void wayfare().purchase.buy({});
      // @ts-expect-error: not a scenario.
      void wayfare().purchase.buy({ product_id, sandbox_scenario: 'lost' });
      // @ts-expect-error: the list needs a country.
      void wayfare().catalog.products({});
    };
    assert.ok(calls);
  });
});
