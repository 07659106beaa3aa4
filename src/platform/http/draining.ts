import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Connections } from './connections.ts';

/*
 * How a process stops without losing a request. On SIGTERM main.ts drains, waits DRAIN_SECONDS and closes:
 *
 *   drain    the health check says "not ready", so proxies choose other processes, and the answer after which a connection would
 *            be idle says `Connection: close` (connections.ts). New connections and requests are served as usual.
 *   close    the listening sockets close in a quiet moment (`closeListeners`). Idle connections may send one more request for a
 *            second; what is not answered by the time limit of a request is cut off (`endConnections`).
 */

/** How long clients get to reuse the connections they have before the listening socket closes. */
const SETTLE_MS = 300;
const QUIET_MS = 0.1;
const QUIET_LIMIT_MS = 500;
/** How often connections are looked at that have become idle. */
const SWEEP_MS = 20;

/**
 * Waits for a moment when no connection is waiting to be accepted. A turn of the event loop that took next to no time had
 * nothing to accept.
 */
async function quietMoment(): Promise<void> {
  const limit = performance.now() + QUIET_LIMIT_MS;
  for (let turn = performance.now(); turn < limit; ) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = performance.now();
    if (now - turn < QUIET_MS) return;
    turn = now;
  }
}

export interface Closing {
  readonly server: Server;
  /** Its listening socket is closed and its last connection has ended. */
  readonly closed: Promise<void>;
}

/**
 * Closes the listening sockets when as little as possible can be on its way to them.
 *
 * The kernel resets connections that it has completed and we have not accepted, and a proxy does not send a POST again that it
 * has begun to send. A proxy without active checks goes on connecting until it is refused, and while every answer ends its
 * connection it opens a new one per request. So for a moment answers keep their connections: the proxy reuses those and opens
 * hardly any. Then the sockets close between two turns of the event loop that had nothing to accept.
 */
export async function closeListeners(servers: readonly Server[], connections: Connections): Promise<Closing[]> {
  if (connections.isDraining) {
    connections.settle();
    await wait(SETTLE_MS);
  } else connections.drain({ lingering: false });
  await quietMoment();
  return servers.map((server) => ({
    server,
    // `close` of `node:http` would reset idle connections, and any request on its way with them; `net`'s leaves them alone.
    closed: new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve())),
  }));
}

/**
 * Waits for the connections to end. Until the grace period is over an idle one may send one more request, whose answer says
 * `Connection: close`.
 */
export async function endConnections(
  { server, closed }: Closing,
  connections: Connections,
  graceOver: Promise<void>,
  limitMs: number,
): Promise<void> {
  const limit = setTimeout(() => server.closeAllConnections(), limitMs);
  const closeIdle = () => {
    server.closeIdleConnections();
    connections.closeUnused();
  };
  await Promise.race([closed, graceOver]);
  closeIdle();
  const sweep = setInterval(closeIdle, SWEEP_MS);
  await closed;
  clearTimeout(limit);
  clearInterval(sweep);
  // Ends the timer with which Node looks for slow requests.
  server.close();
}
