import type { IncomingMessage } from 'node:http';
import { Refused } from '../../../platform/contract/refused.ts';

/**
 * Another site can make a browser send a request here, but the browser then names that site. A page that sends no referrer has
 * the origin `null` in a `ping`; `sec-fetch-site` then tells whether it was ours.
 */
export function isSameOrigin({ headers }: IncomingMessage, { origin }: URL): boolean {
  const sent = headers.origin === 'null' ? undefined : headers.origin;
  return sent === undefined ? headers['sec-fetch-site'] === 'same-origin' : sent === origin;
}

/**
 * Whether a browser says that another site made it send this. For pages whose forms carry a value that other sites do not know:
 * requests that say nothing, or `null`, are left to that value.
 */
export function isForeign({ headers }: IncomingMessage, { origin }: URL): boolean {
  const site = headers['sec-fetch-site'];
  return (
    (headers.origin !== undefined && headers.origin !== 'null' && headers.origin !== origin) ||
    (site !== undefined && site !== 'same-origin')
  );
}

/** Requests that name no origin are refused, too: our own pages always do. */
export function requireSameOrigin(request: IncomingMessage, panelUrl: URL): void {
  if (request.method === 'GET' || request.method === 'HEAD' || isSameOrigin(request, panelUrl)) return;
  throw new Refused('cross_origin', `the panel is at ${panelUrl.origin}, but this request came from another site`);
}
