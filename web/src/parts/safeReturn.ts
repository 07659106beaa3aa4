/** A stand-in origin: `.invalid` can never be a real host. */
const HERE = 'http://panel.invalid';

/**
 * The page to return to after signing in, if it is one of this application's, whose pages are below `home` (panel and console are two
 * applications). Parsed as a browser does: it drops tabs, reads `\` as `/` and resolves dots, so `/.//other.example` looks
 * like a path but leads to another host.
 */
export function safeReturn(next: string | null, home: string): string {
  if (next === null || !URL.canParse(next, HERE)) return home;
  const { origin, pathname, search } = new URL(next, HERE);
  const isOurs = home === '/' || pathname === home || pathname.startsWith(`${home}/`);
  return origin === HERE && !pathname.startsWith('//') && isOurs ? pathname + search : home;
}
