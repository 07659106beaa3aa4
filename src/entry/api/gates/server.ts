import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HSTS } from '../../../platform/http/headers.ts';
import {
  type ServerOptions as Listening,
  type ListeningServer,
  listen,
  STATUS_CODES,
} from '../../../platform/http/server.ts';
import { isHostRepeated, splitTarget } from '../../../platform/http/target.ts';
import { isTracing, notice, traced } from '../../../platform/traces/traces.ts';
import { type AnswerParts, answerApi } from './answer.ts';
import { plainRefusal } from './envelope.ts';
import type { Host, Hosts } from './hosts.ts';

/**
 * Answers what is not HTTP, headers that are too large, and clients that are too slow, in the same envelope. The answer is
 * written by hand, because there may be no request to answer. `unanswered` is the request in progress on the connection.
 */
function refuseBrokenHttp(
  hosts: Hosts,
  now: number,
  socket: Socket,
  unanswered: ServerResponse | undefined,
  error?: Error & { rawPacket?: Buffer },
): void {
  if (unanswered?.req.complete) {
    // What broke is the next request on the connection; the one being handled keeps its answer.
    if (!unanswered.headersSent) unanswered.setHeader('connection', 'close');
    return;
  }
  // Browsers connect before they need it. An answer to nothing would be taken for that to the request they send at this moment.
  if (!socket.writable || unanswered?.headersSent || socket.bytesRead === 0) return void socket.destroy();
  const host = unanswered ? hosts.of(unanswered.req) : hostIn(hosts, socket, error?.rawPacket);
  const { status, headers, body } = plainRefusal('malformed_request', host, now);
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** As far as the bytes can be read; beyond that, the port they arrived on decides. */
function hostIn(hosts: Hosts, socket: Socket, packet: Buffer | undefined): Host | undefined {
  const head = packet?.toString('latin1') ?? '';
  const target = /^[A-Z]+ ([^ \r\n]*)/.exec(head)?.[1] ?? '';
  const authority = /^host:[ \t]*(\S+)/im.exec(head)?.[1];
  return hosts.find(authority, socket.localPort, splitTarget(target).path);
}

/** The span of a request. What answers it adds the route and whom it was for. */
function traceRequest(incoming: IncomingMessage, response: ServerResponse, answer: () => Promise<void>): Promise<void> {
  const { method = 'GET', headers } = incoming;
  const { traceparent: cause } = headers;
  const options = {
    kind: 'server',
    apart: true,
    cause: typeof cause === 'string' ? cause : undefined,
    attributes: { 'http.request.method': method },
  } as const;
  return traced(method, options, async () => {
    await answer();
    const { statusCode } = response;
    notice({ 'http.response.status_code': statusCode }, { isError: statusCode >= 500 });
  });
}

interface ServerOptions extends Pick<Listening, 'host' | 'ports' | 'limits' | 'log'> {
  readonly hosts: Hosts;
  readonly answer: AnswerParts;
  readonly panel: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly requestMs: number;
}

/** Listens for the API hosts and the panel, and sends each request where its `Host` belongs. */
export function serveHosts({ hosts, answer, panel, requestMs, ...listening }: ServerOptions): Promise<ListeningServer> {
  const handle = (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isTracing()) return respond(incoming, response);
    return traceRequest(incoming, response, () => respond(incoming, response));
  };
  const respond = (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { path, query } = splitTarget(incoming.url ?? '/');
    const host = hosts.find(incoming.headers.host, incoming.socket.localPort, path);
    if (host?.environment === 'panel') {
      if (host.secure) response.setHeader('strict-transport-security', HSTS);
      return panel(incoming, response);
    }
    const repeated = isHostRepeated(incoming);
    if (host && !repeated) return answerApi(answer, host, path, query, incoming, response);
    const code = repeated ? 'malformed_request' : 'unknown_endpoint';
    const { status, headers, body } = plainRefusal(code, host, answer.clock.now());
    response.writeHead(status, headers).end(incoming.method === 'HEAD' ? undefined : body);
    return Promise.resolve();
  };
  return listen({
    ...listening,
    handle,
    refuse: (socket, unanswered, error) => refuseBrokenHttp(hosts, answer.clock.now(), socket, unanswered, error),
    timeouts: { answeredMs: requestMs },
  });
}
