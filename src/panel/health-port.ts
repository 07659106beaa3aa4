import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SECOND } from '../clock.ts';
import { closeServer, type ListeningServer, listening } from '../edge/server.ts';
import type { Log } from '../log.ts';
import { type PanelRoute, servePanel } from './routes.ts';

/** Monitors send one short request and wait for the answer. */
const LIMIT_MS = 5 * SECOND;

/** Health and metrics on a separate port, under any host name. A worker or an API process has no other place for them. */
export async function listenForHealth(routes: readonly PanelRoute[], port: number, log: Log): Promise<ListeningServer> {
  const handle = servePanel(routes, log);
  const server = createServer(
    { headersTimeout: LIMIT_MS, requestTimeout: LIMIT_MS, connectionsCheckingInterval: SECOND },
    (request, response) => void handle(request, response).catch(() => response.destroy()),
  );
  await listening(server, port);
  return { ports: [(server.address() as AddressInfo).port], close: () => closeServer(server) };
}
