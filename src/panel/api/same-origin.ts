import type { IncomingMessage } from 'node:http';
import { Refused } from '../../refused.ts';

/**
 * Another site can make a browser send a request here, but the browser then names that site. Requests that name no origin are
 * refused, too: our own pages always do.
 */
export function requireSameOrigin({ method, headers }: IncomingMessage, { origin }: URL): void {
  if (method === 'GET' || method === 'HEAD') return;
  const own = headers.origin === undefined ? headers['sec-fetch-site'] === 'same-origin' : headers.origin === origin;
  if (!own) throw new Refused('cross_origin', `the panel is at ${origin}, but this request came from another site`);
}
