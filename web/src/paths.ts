export const modes = ['live', 'sandbox'] as const;
export type Mode = (typeof modes)[number];
export const isMode = (text: string | undefined): text is Mode => modes.some((mode) => mode === text);

/** Every address of the panel's pages. Links are made here and nowhere else. */
export const paths = {
  home: '/',
  signIn: (next?: string) => (next === undefined ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`),
  welcome: '/welcome',
  overview: (mode: Mode) => `/${mode}`,
  orders: (mode: Mode) => `/${mode}/orders`,
  order: (mode: Mode, id: string | number) => `/${mode}/orders/${id}`,
  webhooks: (mode: Mode) => `/${mode}/webhooks`,
  webhook: (mode: Mode, id: string) => `/${mode}/webhooks/${id}`,
  money: (mode: Mode) => `/${mode}/money`,
  sandboxTools: '/sandbox/tools',
  keys: '/keys',
  settings: '/settings',
  /** The simulated card provider's page, served by the panel host itself. */
  pay: (clientSecret: string) => `/pay/${encodeURIComponent(clientSecret)}`,
} as const;

/** The same section in the other world; what exists in one world only leads to the other's overview. */
export function inOtherWorld(pathname: string, mode: Mode): string {
  const section = pathname.split('/')[2];
  return section === 'orders' || section === 'webhooks' || section === 'money' ? `/${mode}/${section}` : `/${mode}`;
}

/** Stands for wherever the panel is; nobody's address. */
const HERE = 'http://panel.invalid';

/**
 * A place to return to after signing in: only ever one of our own pages. Read as a browser reads it, which leaves out tabs, takes
 * `\` for `/` and walks along dots: `/.//other.example` is a path that, written by itself, names another host.
 */
export function safeReturn(next: string | null): string {
  if (next === null || !URL.canParse(next, HERE)) return paths.home;
  const { origin, pathname, search } = new URL(next, HERE);
  return origin === HERE && !pathname.startsWith('//') ? pathname + search : paths.home;
}
