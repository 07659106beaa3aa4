/** The address of every page of the console. All links are built here. */
export const paths = {
  home: '/operator',
  signIn: (next?: string) =>
    next === undefined ? '/operator/sign-in' : `/operator/sign-in?next=${encodeURIComponent(next)}`,
  welcome: '/operator/welcome',
  settings: '/operator/settings',
  orders: '/operator/orders',
  order: (id: string | number) => `/operator/orders/${id}`,
  refunds: '/operator/refunds',
  partners: '/operator/partners',
  partner: (id: number) => `/operator/partners/${id}`,
  prices: '/operator/prices',
  catalog: '/operator/catalog',
  plan: (id: string) => `/operator/catalog/${encodeURIComponent(id)}`,
  suppliers: '/operator/suppliers',
  webhooks: '/operator/webhooks',
  money: '/operator/money',
  audit: '/operator/audit',
  system: '/operator/system',
} as const;
