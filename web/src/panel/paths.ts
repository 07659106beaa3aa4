import type { Mode } from '../parts/mode.ts';

/** The address of every page. All links are built here. */
export const paths = {
  home: '/',
  signIn: (next?: string) => (next === undefined ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`),
  /** Where people who belong to several partners choose one. */
  accounts: (next: string) => `/accounts?next=${encodeURIComponent(next)}`,
  welcome: '/welcome',
  signUp: '/sign-up',
  signUpLink: '/sign-up/link',
  goLive: '/go-live',
  forgotten: '/forgotten',
  overview: (mode: Mode) => `/${mode}`,
  orders: (mode: Mode) => `/${mode}/orders`,
  order: (mode: Mode, id: string | number) => `/${mode}/orders/${id}`,
  esims: (mode: Mode) => `/${mode}/esims`,
  esim: (mode: Mode, iccid: string) => `/${mode}/esims/${iccid}`,
  helpRequests: (mode: Mode) => `/${mode}/help`,
  helpRequest: (mode: Mode, id: string) => `/${mode}/help/${id}`,
  webhooks: (mode: Mode) => `/${mode}/webhooks`,
  webhook: (mode: Mode, id: string) => `/${mode}/webhooks/${id}`,
  insight: (mode: Mode) => `/${mode}/insight`,
  catalog: (mode: Mode) => `/${mode}/catalog`,
  destination: (mode: Mode, code: string) => `/${mode}/catalog?destination=${encodeURIComponent(code)}`,
  plan: (mode: Mode, id: string) => `/${mode}/catalog?search=${id}`,
  money: (mode: Mode, tab?: string) => `/${mode}/money${tab === undefined ? '' : `?tab=${tab}`}`,
  statementOf: (mode: Mode, month: string) => `/${mode}/money/statements/${month}`,
  invoices: (mode: Mode) => `/${mode}/invoices`,
  invoice: (mode: Mode, number: string) => `/${mode}/invoices/${encodeURIComponent(number)}`,
  /** Stripe's card form. A page load, never a link within the page: only this document may load Stripe's script. */
  cardForm: (paymentKey: string) => `/live/money/pay?payment=${encodeURIComponent(paymentKey)}`,
  requests: (mode: Mode) => `/${mode}/requests`,
  /** One call, opened over the list. */
  request: (mode: Mode, id: string) => `/${mode}/requests?request=${id}`,
  requestsOfOrder: (mode: Mode, orderId: string | number) => `/${mode}/requests?order=${orderId}`,
  delivery: (mode: Mode, subscriptionId: string, id: string) => `/${mode}/webhooks/${subscriptionId}?delivery=${id}`,
  sandboxTools: '/sandbox/tools',
  keys: '/keys',
  travellerPage: '/traveller-page',
  retail: '/retail',
  settings: '/settings',
  activity: '/settings/activity',
  security: '/security',
  signInSettings: '/settings/sign-in',
  reference: '/reference',
  endpoint: (id: string) => `/reference/${id}`,
  guide: (name: string) => `/reference/guides/${name}`,
  /** The simulated card provider's page, served by the panel host itself. */
  pay: (clientSecret: string) => `/pay/${encodeURIComponent(clientSecret)}`,
} as const;

const inBothWorlds = ['orders', 'esims', 'help', 'webhooks', 'money', 'invoices', 'insight', 'catalog', 'requests'];

/** The same section in the other world; sections that exist in one world only lead to the overview. */
export function inOtherWorld(pathname: string, mode: Mode): string {
  const section = pathname.split('/')[2] ?? '';
  return inBothWorlds.includes(section) ? `/${mode}/${section}` : `/${mode}`;
}
