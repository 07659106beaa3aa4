import type { Role } from '../../../../src/domains/partners/people/people.ts';

/** Roles as a choice: what each is called, and what it may do. */
export interface RoleWords<R extends string> {
  readonly name: Readonly<Record<R, string>>;
  readonly about: Readonly<Record<R, string>>;
}

/** Roles in words. */
export const roleName: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  developer: 'Developer',
  finance: 'Finance',
  support: 'Support',
  'read-only': 'Read-only',
};

const roleAbout: Readonly<Record<Role, string>> = {
  owner: 'Everything, including members and their roles',
  developer: 'Keys, webhooks and the sandbox, without balances and payments',
  finance: 'Balances, top-ups and refunds, without API keys',
  support: 'Buys, refills, mails travellers and asks for refunds, without API keys and the balance',
  'read-only': 'Sees everything, changes nothing',
};

export const memberRoles: RoleWords<Role> = { name: roleName, about: roleAbout };
