import { type KeyPermission, keyPermissions } from '../../../../src/platform/contract/key-terms.ts';

/** What a restricted key may do, in words. */
export const permissionWords: Readonly<Record<KeyPermission, { readonly name: string; readonly about: string }>> = {
  read: {
    name: 'Read',
    about: 'Read the catalog, orders, eSIMs with their activation data, the balance and the delivery log.',
  },
  buy: { name: 'Buy', about: 'Buy eSIMs and refills.' },
  money: { name: 'Money', about: 'Ask for refunds and top up; in the sandbox also its balance, reset and clock.' },
  webhooks: { name: 'Webhooks', about: 'Create, change, delete and test webhooks.' },
};

/** `Read, Buy`. */
export const permissionsText = (names: readonly string[]): string =>
  names.map((name) => permissionWords[keyPermissions.find((known) => known === name) ?? 'read'].name).join(', ');
