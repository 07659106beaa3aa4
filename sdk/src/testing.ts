import { Wayfare } from './client.ts';
import type { Answer, ErrorBody, ErrorCode, Operation, WebhookEvent } from './contract.ts';
import { echo } from './echo.ts';
import { answers, events, statuses } from './examples.ts';
import { signedHeaders } from './sign.ts';

export interface FakeCall {
  /** `purchase_buy` for `purchase/buy`. */
  readonly operation: Operation;
  /** The fields sent, as text. */
  readonly fields: Readonly<Record<string, string>>;
  /** What followed the endpoint's path: the 1001 of `order/detail/1001`. */
  readonly param: string | undefined;
}

type Envelope =
  | 'result'
  | 'code'
  | 'error'
  | 'title'
  | 'message'
  | 'api_version'
  | 'livemode'
  | 'sandbox_simulated'
  | 'ignored';
type Extra<Code extends ErrorCode> = Omit<Extract<ErrorBody, { error: Code }>, Envelope>;
type Reply = (call: FakeCall) => { readonly status: number; readonly body: object };

/**
 * A Wayfare server for tests, without a network. Every endpoint answers with the example of the API's description, with the ids,
 * references and amounts you sent in it, until you set another answer. It keeps no state: to test whole flows, use the sandbox.
 */
export class FakeWayfare {
  /** A client of this server. It never retries, so that a test never waits. */
  readonly client: Wayfare;
  /** Every call so far. */
  readonly calls: FakeCall[] = [];
  readonly #replies = new Map<Operation, Reply>();

  constructor() {
    this.client = new Wayfare({
      key: 'esk_test_fake',
      baseUrl: 'https://fake.invalid/v3',
      fetch: this.fetch,
      maxRetries: 0,
    });
  }

  /** For a client of your own: `new Wayfare({ key: 'esk_test_fake', fetch: fake.fetch })`. */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    init.signal?.throwIfAborted();
    const url = new URL(input instanceof Request ? input.url : input);
    const [group, action, param] = url.pathname.replace(/^.*\/v3\//, '').split('/');
    const sent = init.method === 'POST' ? new URLSearchParams(String(init.body)) : url.searchParams;
    const call: FakeCall = {
      operation: operationOf(`${group}/${action}`, param),
      fields: Object.fromEntries(sent),
      param: param === undefined ? undefined : decodeURIComponent(param),
    };
    this.calls.push(call);
    const { status, body } = (this.#replies.get(call.operation) ?? echo)(call);
    const headers = {
      'content-type': 'application/json',
      'x-request-id': `fake-${this.calls.length}`,
      'x-ratelimit-limit': '360',
      'x-ratelimit-remaining': String(Math.max(0, 360 - this.calls.length)),
      'x-ratelimit-reset': '60',
    };
    return new Response(JSON.stringify(body), { status, headers });
  };

  /** From now on the endpoint answers as before, but with these fields. A function gets the call. */
  answer<Op extends Operation>(
    operation: Op,
    fields: Partial<Answer<Op>> | ((call: FakeCall) => Partial<Answer<Op>>),
  ): this {
    this.#replies.set(operation, (call) => {
      const { status, body } = echo(call);
      return { status, body: { ...body, ...(typeof fields === 'function' ? fields(call) : fields) } };
    });
    return this;
  }

  /** From now on the endpoint refuses with this code and the fields that come with it. */
  refuse<Code extends ErrorCode>(operation: Operation, code: Code, extra: Extra<Code>): this {
    const status = statuses[code] ?? 400;
    const message = 'The fake was told to refuse.';
    const envelope = {
      result: 'fail',
      code: String(status),
      error: code,
      title: 'Unsuccessful',
      message,
      api_version: 3,
    };
    this.#replies.set(operation, () => ({ status, body: { ...envelope, livemode: false, ...extra } }));
    return this;
  }
}

/** A webhook as a server sends it: the example of its event with your fields, signed in both styles. */
export async function signedWebhook<Name extends WebhookEvent['event']>(
  event: { event: Name } & Partial<Omit<Extract<WebhookEvent, { event: Name }>, 'event'>>,
  secret: string,
  now = Date.now(),
): Promise<{ body: string; headers: Record<string, string> }> {
  const sent: Record<string, unknown> = { ...events[event.event], ...event };
  const body = JSON.stringify(sent);
  const unsigned = { body, event: event.event, eventId: String(sent.event_id), deliveryId: '1' };
  return { body, headers: await signedHeaders(unsigned, secret, now) };
}

/** `purchase_batchById` for `purchase/batch/17`, where the path without the id is another endpoint. */
const operationOf = (path: string, param: string | undefined): Operation =>
  (path.replace('/', '_') + (param !== undefined && `${path}/{id}` in answers ? 'ById' : '')) as Operation;
