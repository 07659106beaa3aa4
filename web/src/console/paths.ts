/** The address of every page of the console. All links are built here. */
export const paths = {
  home: '/operator',
  signIn: (next?: string) =>
    next === undefined ? '/operator/sign-in' : `/operator/sign-in?next=${encodeURIComponent(next)}`,
  welcome: '/operator/welcome',
  security: '/operator/security',
  staff: '/operator/staff',
  orders: '/operator/orders',
  order: (id: string | number, mode: 'live' | 'sandbox' = 'live') =>
    `/operator/orders/${id}${mode === 'live' ? '' : `?mode=${mode}`}`,
  /** The orders of a batch. */
  batch: (id: string, mode: 'live' | 'sandbox' = 'live') =>
    `/operator/orders?batch=${id}${mode === 'live' ? '' : `&mode=${mode}`}`,
  refunds: '/operator/refunds',
  replacements: '/operator/replacements',
  proposals: '/operator/proposals',
  applications: '/operator/applications',
  application: (id: number) => `/operator/applications/${id}`,
  partners: '/operator/partners',
  partner: (id: number) => `/operator/partners/${id}`,
  prices: '/operator/prices',
  catalog: '/operator/catalog',
  plan: (id: string) => `/operator/catalog/${encodeURIComponent(id)}`,
  plansOf: (destination: string) => `/operator/catalog?destination=${encodeURIComponent(destination)}`,
  suppliers: '/operator/suppliers',
  routes: '/operator/routes',
  webhooks: '/operator/webhooks',
  money: '/operator/money',
  invoices: '/operator/invoices',
  invoice: (number: string, mode: 'live' | 'sandbox' = 'live') =>
    `/operator/invoices/${encodeURIComponent(number)}${mode === 'live' ? '' : `?mode=${mode}`}`,
  statement: (partnerId: number, month: string) => `/operator/money/statements/${partnerId}/${month}`,
  incidents: '/operator/incidents',
  audit: '/operator/audit',
  privacy: '/operator/privacy',
  system: '/operator/system',
} as const;
