/** What an operator may do in the console. Everybody sees everything there but secrets, which nobody sees. */
const permissions = {
  admin: ['see', 'support', 'invite', 'money', 'manage'],
  finance: ['see', 'invite', 'money'],
  support: ['see', 'support', 'invite'],
  'read-only': ['see'],
} as const satisfies Record<string, readonly string[]>;

export type OperatorRole = keyof typeof permissions;
/**
 * `see`: every page. `support`: what helps a partner and moves no money: retry, resend, requeue, activation data. `invite`: send a
 * partner's members a link by mail; roles other than read-only need `money`, too. `money`: refunds, wallets, credit, prices, shares.
 * `manage`: partners, keys, receivers of webhooks, the catalog, suppliers, operators.
 */
export type OperatorPermission = (typeof permissions)['admin'][number];

export const operatorRoles = Object.keys(permissions) as readonly OperatorRole[];

export const operatorPermissions = (role: OperatorRole): readonly OperatorPermission[] => permissions[role];

export const mayOperator = (role: OperatorRole, permission: OperatorPermission): boolean =>
  operatorPermissions(role).includes(permission);
