/**
 * What a member may do in the panel: their role says what they see and change at one partner. Everybody may see orders, eSIMs,
 * webhooks and their own settings; the rest is granted by the table.
 */
const permissions = {
  owner: ['see', 'see-money', 'see-keys', 'change', 'spend', 'develop', 'manage'],
  /** Without money. */
  developer: ['see', 'see-keys', 'change', 'develop'],
  /** Without keys. */
  finance: ['see', 'see-money', 'change', 'spend'],
  'read-only': ['see', 'see-money', 'see-keys'],
} as const satisfies Record<string, readonly string[]>;

export type Role = keyof typeof permissions;
/**
 * `see`: everything but money and keys. `see-money`: balance, statement, prices agreed. `see-keys`: API keys, never in full.
 * `change`: what travellers see. `spend`: top-ups, refunds, the balance alert. `develop`: keys, webhooks, the sandbox.
 * `manage`: members and their roles.
 */
export type Permission = (typeof permissions)['owner'][number];

export const roles = Object.keys(permissions) as readonly Role[];

export const permissionsOf = (role: Role): readonly Permission[] => permissions[role];

export const mayRole = (role: Role, permission: Permission): boolean => permissionsOf(role).includes(permission);
