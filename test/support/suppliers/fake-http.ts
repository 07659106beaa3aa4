import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** What goes wrong with an answer. The work behind it is done, except by `server_error`, `rate_limit` and `vanish`. */
export type Mishap =
  | 'hang'
  | 'break'
  | 'duplicate'
  | 'garbage'
  | 'redirect'
  | 'too_long'
  | 'server_error'
  | 'rate_limit'
  | 'vanish';

export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** By the name of a field. */
export type Lies = Readonly<Record<string, (value: unknown) => unknown>>;

/** Serves HTTPS with this certificate. */
export interface Secured {
  readonly cert: string;
  readonly key: string;
}

/**
 * A stand-in for somebody's API over real HTTP: it answers by `answer`, and misbehaves on request. `nameOf` says what a mishap is matched
 * with; usually the method and the path.
 */
export async function fakeHttp(
  answer: (request: FakeRequest) => Reply | Promise<Reply>,
  tooMany: Reply,
  secured?: Secured,
  nameOf = ({ method, path }: FakeRequest) => `${method} ${path}`,
) {
  const requests: FakeRequest[] = [];
  /** By the names of fields, at any depth of an answer. */
  let lies: Lies = {};
  const mishaps: { readonly mishap: Mishap; readonly path: RegExp; times: number }[] = [];

  function mishapOf(path: string): Mishap | undefined {
    const met = mishaps.find((one) => one.times > 0 && one.path.test(path));
    if (met) met.times -= 1;
    return met?.mishap;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://supplier.invalid');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received: FakeRequest = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    requests.push(received);
    const mishap = mishapOf(nameOf(received));
    if (mishap === 'vanish') return void response.destroy();
    if (mishap === 'server_error') return send(response, 500, 'Server Error');
    if (mishap === 'rate_limit') return send(response, tooMany.status, JSON.stringify(tooMany.body));
    const { status, body, headers } = await answer(received);
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
    const text = JSON.stringify(body, (name, value) => (Object.hasOwn(lies, name) ? lies[name]?.(value) : value));
    switch (mishap) {
      case 'hang':
        return;
      case 'garbage':
        return send(response, 200, '<html>Bad gateway</html>');
      case 'too_long':
        return send(response, 200, `${text}${' '.repeat(200_000)}`);
      case 'redirect':
        response.setHeader('location', request.url ?? '/');
        return send(response, 307, '');
      case 'break':
        response.writeHead(status, { 'content-length': Buffer.byteLength(text) });
        response.write(text.slice(0, text.length / 2), () => response.destroy());
        return;
      case 'duplicate':
        // A customer that trusts the connection takes the second for the answer to its next request.
        response.once('finish', () =>
          response.socket?.write(
            `HTTP/1.1 ${status} Again\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
          ),
        );
    }
    send(response, status, text);
  }

  function send(response: ServerResponse, status: number, text: string): void {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  }

  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void serve(request, response).catch(() => response.destroy());
  const server = secured ? createSecureServer({ ...secured }, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: new URL(`${secured ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`),
    /** Every request that arrived, in order. */
    requests,
    timesCalled: (path: RegExp) => requests.filter((one) => path.test(nameOf(one))).length,
    /** Spoils the next `times` answers to requests that match, as `POST /v2/orders`. */
    meet(mishap: Mishap, path: RegExp, times = 1) {
      mishaps.push({ mishap, path, times });
    },
    /** From now on, fields with one of these names have the value that its function makes of the true one, in every answer. */
    lie(values: Lies) {
      lies = values;
    },
    /** Nothing goes wrong any more. */
    behaveAgain() {
      lies = {};
      mishaps.length = 0;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
