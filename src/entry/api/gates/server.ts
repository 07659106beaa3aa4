import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConnectionLimits } from '../../../platform/http/connections.ts';
import { HSTS } from '../../../platform/http/headers.ts';
import { type ListeningServer, listen } from '../../../platform/http/server.ts';
import { isHostRepeated, splitTarget } from '../../../platform/http/target.ts';
import type { Log } from '../../../platform/log.ts';
import { type AnswerParts, answerApi } from './answer.ts';
import { refuseBrokenHttp } from './broken-http.ts';
import type { Hosts } from './hosts.ts';
import { plainRefusal } from './refusal.ts';

export type PanelHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface ServerOptions {
  readonly hosts: Hosts;
  readonly answer: AnswerParts;
  readonly panel: PanelHandler;
  /** The address to listen on; undefined: all interfaces. */
  readonly host: string | undefined;
  /** Ports to listen on; 0 picks a free one. */
  readonly ports: readonly number[];
  readonly limits: ConnectionLimits;
  /** How long a request may take. */
  readonly requestMs: number;
  readonly log: Log;
}

/** Listens for the API hosts and the panel, and sends each request where its `Host` belongs. */
export function serveHosts({
  hosts,
  answer,
  panel,
  host: address,
  ports,
  limits,
  requestMs,
  log,
}: ServerOptions): Promise<ListeningServer> {
  const handle = (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
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
    host: address,
    ports,
    handle,
    refuse: (socket, unanswered, error) => refuseBrokenHttp(hosts, answer.clock.now(), socket, unanswered, error),
    limits,
    timeouts: { answeredMs: requestMs },
    log,
  });
}
