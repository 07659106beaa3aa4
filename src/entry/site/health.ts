import type { IncomingMessage } from 'node:http';
import { SECOND } from '../../platform/clock.ts';
import { normalAddress } from '../../platform/http/address-list.ts';
import { type ListeningServer, listen } from '../../platform/http/server.ts';
import type { Log } from '../../platform/log.ts';
import { page, type SiteRoute, serveSite } from './routes.ts';

interface HealthParts {
  /** Undefined: requests can be served. */
  readonly whyNotReady: () => Promise<string | undefined>;
  readonly metrics: () => Promise<string>;
}

const TEXT = 'text/plain; charset=utf-8';
const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8';

const alive: SiteRoute = { verb: 'GET', path: '/healthz', handle: () => page(200, TEXT, 'ok\n') };

const ready = ({ whyNotReady }: HealthParts): SiteRoute => ({
  verb: 'GET',
  path: '/readyz',
  handle: async () => {
    const why = await whyNotReady();
    return why === undefined ? page(200, TEXT, 'ready\n') : page(503, TEXT, `not ready: ${why}\n`);
  },
});

const figures = ({ metrics }: HealthParts): SiteRoute => ({
  verb: 'GET',
  path: '/metrics',
  handle: async () => page(200, PROMETHEUS, await metrics()),
});

/** For load balancers and monitors, on a port that strangers do not reach. */
export const healthPortRoutes = (parts: HealthParts): SiteRoute[] => [alive, ready(parts), figures(parts)];

/**
 * The same on the panel's address, which anyone can reach: with a health port nothing more than a sign of life, without one
 * readiness too, and the metrics for this machine alone.
 */
export function healthPanelRoutes(
  parts: HealthParts & { readonly clientAddress: (request: IncomingMessage) => string },
  hasHealthPort: boolean,
): SiteRoute[] {
  if (hasHealthPort) return [alive];
  const { handle, ...metrics } = figures(parts);
  const forLoopback: SiteRoute = {
    ...metrics,
    handle: (x) => (isLocal(x.request, parts.clientAddress) ? handle(x) : page(404, TEXT, 'Not found\n')),
  };
  return [alive, ready(parts), forLoopback];
}

/**
 * A proxy on this machine that is missing from TRUSTED_PROXIES makes every request look local, so what it says about where
 * a request came from counts against the request even though it is not trusted.
 */
function isLocal(request: IncomingMessage, clientAddress: (request: IncomingMessage) => string): boolean {
  const forwarded = String(request.headers['x-forwarded-for'] ?? '');
  const hops = forwarded === '' ? [] : forwarded.split(',').map((hop) => normalAddress(hop.trim()) ?? '');
  return [clientAddress(request), ...hops].every(isLoopback);
}

const isLoopback = (address: string): boolean => address === '::1' || /^127(\.\d+){3}$/.test(address);

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
