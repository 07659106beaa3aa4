import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { SECOND } from '../clock.ts';
import type { Log } from '../log.ts';
import { type ConnectionLimits, Connections } from './connections.ts';
import { closeListeners, endConnections } from './draining.ts';

/**
 * Node's own HTTP, asked for instead of imported. An import reads every name that a built-in module has, and behind one of this one's,
 * `WebSocket`, is all of `fetch`: 14 MB and some 40 ms for something that we call by undici's own package.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');

export interface ServerOptions {
  /** The address to listen on; undefined: all interfaces. */
  readonly host?: string | undefined;
  /** Ports to listen on; 0 picks a free one. */
  readonly ports: readonly number[];
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /**
   * Answers what is not HTTP, and requests whose body breaks off; without it they are answered by Node. `unanswered` is the
   * latest request on the connection, when its answer is not complete.
   */
  refuse?(socket: Socket, unanswered: ServerResponse | undefined, error?: Error & { rawPacket?: Buffer }): void;
  readonly limits: ConnectionLimits;
  readonly timeouts?: Partial<Timeouts>;
  readonly log: Log;
}

interface Timeouts {
  readonly headersMs: number;
  /** For a request to arrive whole, body included. */
  readonly receivedMs: number;
  /** For a request to be answered. A stopping server cuts off what takes a second longer. */
  readonly answeredMs: number;
  /** How long a stopping server leaves idle connections open, so that a request on its way is still answered. */
  readonly idleGraceMs: number;
}

export const TIMEOUTS: Timeouts = {
  headersMs: 10 * SECOND,
  receivedMs: 10 * SECOND,
  answeredMs: 20 * SECOND,
  idleGraceMs: SECOND,
};
const MAX_HEADER_BYTES = 16 * 1024;

export type ListeningServer = Awaited<ReturnType<typeof listen>>;

/** What edge, panel and health port listen with: timeouts, limits per connection, and an orderly end. */
export async function listen(options: ServerOptions) {
  const { log } = options;
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const connections = new Connections(options.limits, log);
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (!connections.begin(response)) return;
    options.handle(request, response).catch((error) => {
      log.error({ err: error }, 'an answer could not be written');
      response.destroy();
    });
  };
  const servers = await startAll(options.ports.map((port) => start(options, port, timeouts, connections, handle)));
  /** Ends each connection with its next answer; resolves when idle ones have had their chance to send one more request. */
  const drain = (lingering: boolean): Promise<void> => {
    connections.drain({ lingering });
    return wait(timeouts.idleGraceMs, undefined, { ref: false });
  };
  return {
    ports: servers.map((server) => (server.address() as AddressInfo).port),
    /** Keeps serving, and ends each connection with its next answer: clients go elsewhere without losing a request. */
    drain: () => void drain(true),
    /** Drains, accepts no new connections, and resolves when every request that was accepted is answered. */
    async close() {
      const closed = await closeListeners(servers, connections);
      const graceOver = drain(false);
      const limitMs = timeouts.answeredMs + SECOND;
      await Promise.all(closed.map((end) => endConnections(end, connections, graceOver, limitMs)));
      connections.stop();
    },
  };
}

/** All of them or none: a process that listens on some of its ports would neither serve nor end. */
async function startAll(starting: readonly Promise<Server>[]): Promise<readonly Server[]> {
  const outcomes = await Promise.allSettled(starting);
  const servers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (!failed) return servers;
  for (const server of servers) server.close();
  throw failed.reason;
}

async function start(
  { refuse, host }: ServerOptions,
  port: number,
  timeouts: Timeouts,
  connections: Connections,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.receivedMs,
      // `Connections` ends idle ones.
      keepAliveTimeout: 0,
      connectionsCheckingInterval: SECOND,
      optimizeEmptyRequests: true,
      // Node would answer these itself: a missing Host, an unknown expectation, CONNECT, and what is not HTTP.
      requireHostHeader: false,
    },
    handle,
  );
  server.on('connection', (socket) => connections.open(socket));
  server.on('checkExpectation', handle);
  if (refuse) {
    server.on('connect', (_request, socket) => refuse(socket as Socket, connections.unanswered(socket as Socket)));
    server.on('clientError', (error, socket) =>
      refuse(socket as Socket, connections.unanswered(socket as Socket), error),
    );
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // Without a host: both families where the machine has both, IPv4 alone where it has no IPv6.
    server.listen({ port, ...(host && { host }) }, resolve);
  });
  return server;
}
