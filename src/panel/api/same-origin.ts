import type { IncomingMessage } from 'node:http';
import { Refused } from '../../refused.ts';

/**
 * Another site can make a browser send a request here, and the browser says so. What says nothing at all is refused too: a
 * page of ours always says where it comes from.
 */
export function requireSameOrigin({ method, headers }: IncomingMessage, { origin }: URL): void {
  if (method === 'GET' || method === 'HEAD') return;
  const own = headers.origin === undefined ? headers['sec-fetch-site'] === 'same-origin' : headers.origin === origin;
  if (!own) throw new Refused('cross_origin', `the panel is at ${origin}; this request came from elsewhere`);
}
