/** What each role may do, as a table. */
class Roles<R extends string, P extends string> {
  readonly #permissions: Readonly<Record<R, readonly P[]>>;
  readonly names: readonly R[];

  constructor(permissions: Readonly<Record<R, readonly P[]>>) {
    this.#permissions = permissions;
    this.names = Object.keys(permissions) as R[];
  }

  permissionsOf(role: R): readonly P[] {
    return this.#permissions[role];
  }

  may(role: R, permission: P): boolean {
    return this.#permissions[role].includes(permission);
  }
}

const ofMembers = {
  owner: ['see', 'see-money', 'see-keys', 'change', 'buy', 'refund', 'spend', 'develop', 'manage'],
  developer: ['see', 'see-keys', 'change', 'buy', 'develop'],
  finance: ['see', 'see-money', 'change', 'refund', 'spend'],
  /** Those who help travellers: without keys and the balance. */
  support: ['see', 'change', 'buy', 'refund'],
  'read-only': ['see', 'see-money', 'see-keys'],
} as const satisfies Record<string, readonly string[]>;

export type Role = keyof typeof ofMembers;
/**
 * `see`: everything but money and keys. `see-money`: balance, statement, prices agreed. `see-keys`: API keys, never in full.
 * `change`: the traveller's page, and mails to travellers. `buy`: eSIMs, refills and replacements; developers have it because a key they create
 * could buy anyway. `refund`: ask for refunds, cancel orders, suspend eSIMs. `spend`: top-ups, the balance alert, billing details,
 * retail prices. `develop`: keys, webhooks, the sandbox. `manage`: members and their roles.
 */
export type Permission = (typeof ofMembers)['owner'][number];

/**
 * What a member may do in the panel: their role says what they see and change at one partner. Everybody may see orders, eSIMs,
 * webhooks and their own settings; the rest is granted by the table.
 */
export const memberRoles = new Roles<Role, Permission>(ofMembers);

const ofOperators = {
  admin: ['see', 'note', 'support', 'invite', 'money', 'manage'],
  finance: ['see', 'note', 'invite', 'money'],
  support: ['see', 'note', 'support', 'invite'],
  'read-only': ['see'],
} as const satisfies Record<string, readonly string[]>;

export type OperatorRole = keyof typeof ofOperators;
/**
 * `see`: every page. `note`: write notes for other operators. `support`: help a partner without moving money: retry, resend,
 * requeue, activation data, incidents. `invite`: mail a link to a partner's members; roles other than read-only also need `money`.
 * `money`: refunds, wallets, credit, prices, shares. `manage`: partners, keys, receivers of webhooks, the catalog, suppliers,
 * operators.
 */
export type OperatorPermission = (typeof ofOperators)['admin'][number];

/** What an operator may do in the console. Every role sees everything there except secrets. */
export const operatorRoles = new Roles<OperatorRole, OperatorPermission>(ofOperators);
