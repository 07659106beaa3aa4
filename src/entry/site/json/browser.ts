import type { IncomingMessage } from 'node:http';
import { memberAccess } from '../../../domains/partners/people/people.ts';
import { SECOND } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';

export type SessionCookie = ReturnType<typeof sessionCookie>;

/** The session cookie: scripts cannot read it, other sites cannot make a browser send it, and on https sibling hosts cannot set it. */
export function sessionCookie(
  panelUrl: URL,
  bareName: string,
  maxAgeSeconds = memberAccess.register.sessionMs / SECOND,
) {
  const secure = panelUrl.protocol === 'https:';
  const name = secure ? `__Host-${bareName}` : bareName;
  const written = (token: string, seconds: number) =>
    `${name}=${token}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  return {
    /** The token in a request's Cookie header; '' if there is none. */
    read(header = ''): string {
      const sent = header.split(';').map((pair) => pair.trim());
      return sent.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
    },
    set: (token: string) => written(token, maxAgeSeconds),
    cleared: written('', 0),
  };
}

/** What a browser has to come back with from an issuer. Pages of ours ask for it, so the issuer's redirect need not send it. */
export const ticketCookie = (panelUrl: URL): SessionCookie => sessionCookie(panelUrl, 'wayfare_sso', 600);

export const memberCookie = (panelUrl: URL): SessionCookie => sessionCookie(panelUrl, 'wayfare_session');

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
