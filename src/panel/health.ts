import type { Metrics } from '../metrics.ts';
import { type PanelRoute, page } from './routes.ts';

/** For load balancers and monitors: alive, ready (database reachable and migrated), and figures. */
export function healthRoutes(ready: () => Promise<boolean>, metrics: Metrics): PanelRoute[] {
  const text = 'text/plain; charset=utf-8';
  return [
    { verb: 'GET', path: '/healthz', handle: () => page(200, text, 'ok\n') },
    {
      verb: 'GET',
      path: '/readyz',
      handle: async () => ((await ready()) ? page(200, text, 'ready\n') : page(503, text, 'not ready\n')),
    },
    {
      verb: 'GET',
      path: '/metrics',
      handle: () => page(200, 'text/plain; version=0.0.4; charset=utf-8', metrics.print()),
    },
  ];
}
