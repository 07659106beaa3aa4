import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { SECOND } from '../clock.ts';
import type { Log } from '../log.ts';
import { type AnswerParts, answerApi, plainFailure } from './answer.ts';
import { liveMark, sandboxMark } from './envelope.ts';
import type { Hosts } from './hosts.ts';

export type PanelHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface ServerOptions {
  readonly hosts: Hosts;
  readonly answer: AnswerParts;
  readonly panel: PanelHandler;
  /** Ports to listen on; 0 picks a free one. Default: every port the hosts name. */
  readonly ports?: readonly number[];
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

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = request.url ?? '/';
    const cut = url.indexOf('?');
    const host = hosts.find(request.headers.host, request.socket.localPort, cut < 0 ? url : url.slice(0, cut));
    if (!host) return envelope(response, plainFailure('unknown_endpoint', liveMark));
    if (host.environment === 'panel') return panel(request, response);
    return answerApi(answer, host, request, response);
  };

  const servers = await Promise.all(
    (options.ports ?? hosts.ports).map(async (port) => {
      const server = createServer(
        {
          maxHeaderSize: MAX_HEADER_BYTES,
          headersTimeout: HEADERS_TIMEOUT,
          requestTimeout: REQUEST_TIMEOUT,
          keepAliveTimeout: KEEP_ALIVE,
          connectionsCheckingInterval: SECOND,
          optimizeEmptyRequests: true,
        },
        (request, response) => {
          serve(request, response).catch((error) => {
            log.error({ err: error }, 'an answer could not be written');
            response.destroy();
          });
        },
      );
      server.on('clientError', (_error, socket) => brokenHttp(socket as Socket, hosts));
      await new Promise<void>((listening, failed) => {
        server.once('error', failed);
        server.listen({ port, host: '::' }, listening);
      });
      return server;
    }),
  );
  return {
    ports: servers.map((server) => (server.address() as AddressInfo).port),
    close: async () => void (await Promise.all(servers.map(closeServer))),
  };
}

/** A kept-alive connection counts as open until its client goes: end each as soon as its request is answered. */
function closeServer(server: Server): Promise<void> {
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

function envelope(response: ServerResponse, { status, body }: { status: number; body: string }): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, headers).end(body);
}

/** Not HTTP, headers too large or too slow: the same envelope, written by hand because there is no request to answer. */
function brokenHttp(socket: Socket, hosts: Hosts): void {
  if (!socket.writable) return void socket.destroy();
  const host = hosts.find(undefined, socket.localPort, '');
  const { status, body } = plainFailure('malformed_request', host?.environment === 'sandbox' ? sandboxMark : liveMark);
  socket.end(
    `HTTP/1.1 ${status} Bad Request\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
