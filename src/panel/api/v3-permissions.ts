import type { Permission } from '../../accounts/accounts.ts';

/** What a member's role must allow for each endpoint of the API that members can use at all. A test compares it with the list of endpoints. */
export const v3Permissions: Readonly<Record<string, Permission>> = {
  '/catalog/countries': 'see',
  '/catalog/products': 'see',
  '/catalog/product': 'see',
  '/catalog/export': 'see',
  '/catalog/changes': 'see',
  '/purchase/quote': 'see',
  '/order/get': 'see',
  '/order/detail': 'see',
  '/order/usage': 'see',
  '/order/refund': 'spend',
  '/esim/list': 'see',
  '/esim/detail': 'see',
  '/esim/refills': 'see',
  '/account/balance': 'see-money',
  '/account/history': 'see-money',
  '/account/statement': 'see-money',
  '/account/profitshare': 'see-money',
  '/account/pricing': 'see-money',
  '/account/topup': 'spend',
  '/account/topupConfirm': 'spend',
  '/account/sandboxBalance': 'develop',
  '/account/sandboxReset': 'develop',
  '/webhook/list': 'see',
  '/webhook/deliveries': 'see',
  '/webhook/test': 'develop',
  '/webhook/probe': 'develop',
};

/** Paths that lead nowhere are refused later, for everybody alike. An endpoint missing in the table is for owners only. */
export const permissionFor = (path: string | undefined): Permission =>
  path === undefined ? 'see' : (v3Permissions[path] ?? 'manage');
