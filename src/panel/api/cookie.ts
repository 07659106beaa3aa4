import { SESSION_MS } from '../../accounts/accounts.ts';
import { SECOND } from '../../clock.ts';

/** The session's cookie: no script reads it, no other site sends it, and on https no other host of the domain can set it. */
export interface SessionCookie {
  /** The token a request carries; '' when it has none. */
  read(header: string | undefined): string;
  set(token: string): string;
  readonly cleared: string;
}

export function sessionCookie(panelUrl: URL): SessionCookie {
  const secure = panelUrl.protocol === 'https:';
  const name = secure ? '__Host-wayfare_session' : 'wayfare_session';
  const written = (token: string, seconds: number) =>
    `${name}=${token}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  return {
    read(header = '') {
      const sent = header.split(';').map((pair) => pair.trim());
      return sent.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
    },
    set: (token) => written(token, SESSION_MS / SECOND),
    cleared: written('', 0),
  };
}
