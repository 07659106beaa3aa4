import type { Role } from '../../src/accounts/accounts.ts';

/** Roles in words. */
export const roleName: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  developer: 'Developer',
  finance: 'Finance',
  'read-only': 'Read-only',
};

export const roleAbout: Readonly<Record<Role, string>> = {
  owner: 'Everything, including members and their roles',
  developer: 'Keys, webhooks and the sandbox, without balances and payments',
  finance: 'Balances, top-ups and refunds, without API keys',
  'read-only': 'Sees everything, changes nothing',
};
