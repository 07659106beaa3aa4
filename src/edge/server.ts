import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { SECOND } from '../clock.ts';
import type { Log } from '../log.ts';
import { type AnswerParts, answerApi, plainRefusal } from './answer.ts';
import { BrokenHttp } from './broken-http.ts';
import { liveMark } from './envelope.ts';
import type { Hosts } from './hosts.ts';

export type PanelHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface ServerOptions {
  readonly hosts: Hosts;
  readonly answer: AnswerParts;
  readonly panel: PanelHandler;
  /** Ports to listen on; 0 picks a free one. */
  readonly ports: readonly number[];
  readonly log: Log;
}

export interface ListeningServer {
  readonly ports: readonly number[];
  /** Takes no new request, finishes those in flight. */
  close(): Promise<void>;
}

const HEADERS_TIMEOUT = 10 * SECOND;
const REQUEST_TIMEOUT = 30 * SECOND;
const KEEP_ALIVE = 65 * SECOND;
/** Longer than any request may take (a purchase's supplier budget, a probe). */
const CLOSE_LIMIT = 20 * SECOND;
const MAX_HEADER_BYTES = 16 * 1024;

export async function listen(options: ServerOptions): Promise<ListeningServer> {
  const { hosts, answer, panel, log } = options;

  const broken = new BrokenHttp(hosts, () => answer.clock.now());

  const serve = (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = request.url ?? '/';
    const cut = url.indexOf('?');
    const host = hosts.find(request.headers.host, request.socket.localPort, cut < 0 ? url : url.slice(0, cut));
    broken.remember(host, request, response);
    if (host?.environment === 'panel') return panel(request, response);
    if (host) return answerApi(answer, host, request, response);
    const { status, headers, body } = plainRefusal('unknown_endpoint', liveMark, answer.clock.now());
    response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
    return Promise.resolve();
  };
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    serve(request, response).catch((error) => {
      log.error({ err: error }, 'an answer could not be written');
      response.destroy();
    });
  };

  const servers = await Promise.all(
    options.ports.map(async (port) => {
      const server = createServer(
        {
          maxHeaderSize: MAX_HEADER_BYTES,
          headersTimeout: HEADERS_TIMEOUT,
          requestTimeout: REQUEST_TIMEOUT,
          keepAliveTimeout: KEEP_ALIVE,
          connectionsCheckingInterval: SECOND,
          optimizeEmptyRequests: true,
          // Node would answer these three itself, and not in the envelope.
          requireHostHeader: false,
        },
        handle,
      );
      server.on('checkExpectation', handle);
      server.on('connect', (_request, socket) => broken.answer(socket as Socket));
      server.on('clientError', (error, socket) => broken.answer(socket as Socket, error));
      await listening(server, port);
      return server;
    }),
  );
  return {
    ports: servers.map((server) => (server.address() as AddressInfo).port),
    close: async () => void (await Promise.all(servers.map(closeServer))),
  };
}

/** No host: all interfaces, both families where there are both, IPv4 alone where there is no IPv6. */
export function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, resolve);
  });
}

/** A kept-alive connection counts as open until its client goes: end each as soon as its request is answered. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((closed) => {
    const sweep = setInterval(() => server.closeIdleConnections(), 20);
    const limit = setTimeout(() => server.closeAllConnections(), CLOSE_LIMIT);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(limit);
      closed();
    });
    server.closeIdleConnections();
  });
}
