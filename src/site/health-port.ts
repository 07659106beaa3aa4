import { SECOND } from '../clock.ts';
import { type ListeningServer, listen } from '../http/server.ts';
import type { Log } from '../log.ts';
import { type SiteRoute, serveSite } from './routes.ts';

/** Monitors send one short request and wait for the answer. */
const timeouts = { headersMs: 5 * SECOND, receivedMs: 5 * SECOND };
/** More than any set of monitors needs, so this port cannot use up the process's connections. */
const limits = { max: 200, maxPerAddress: 200, trusted: undefined };

/** Health and metrics on their own port, under any host name: a worker or an API process has no other address for them. */
export function listenForHealth(
  routes: readonly SiteRoute[],
  { port, host }: { port: number; host: string | undefined },
  log: Log,
): Promise<ListeningServer> {
  return listen({ host, ports: [port], handle: serveSite(routes, { log }), limits, timeouts, log });
}
