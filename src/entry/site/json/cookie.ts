import { memberAccess } from '../../../domains/partners/people/people.ts';
import { SECOND } from '../../../platform/clock.ts';

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
