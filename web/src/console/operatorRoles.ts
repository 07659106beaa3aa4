import type { OperatorRole } from '../../../src/domains/partners/people/people.ts';
import type { RoleWords } from '../subjects/people/roleName.ts';

/** Operators' roles in words. */
export const operatorRoles: RoleWords<OperatorRole> = {
  name: { admin: 'Admin', finance: 'Finance', support: 'Support', 'read-only': 'Read-only' },
  about: {
    admin: 'Everything, including partners, the catalog, suppliers and operators',
    finance: 'Refunds, wallets, prices and the revenue share',
    support: 'Retries, resends, invitations and activation data; moves no money',
    'read-only': 'Sees everything, changes nothing',
  },
};
