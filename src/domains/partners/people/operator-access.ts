import { HOUR } from '../../../platform/clock.ts';
import { nothing, sql } from '../../../platform/db/query/sql.ts';
import { isOwnMachine } from '../../../platform/settings/site.ts';
import { Access } from './access.ts';
import type { LinkHolder } from './links.ts';
import type { SignedIn } from './register.ts';
import type { OperatorRole } from './roles.ts';

/** Who is signed in to the console. */
export interface OperatorSession extends SignedIn {
  readonly operatorId: number;
  readonly role: OperatorRole;
  /** When they were last at the console, to the minute. */
  readonly seenAt: Date | null;
}

/** The console's. An operator is one person with one address. */
export const operatorAccess = new Access<LinkHolder, OperatorSession>({
  name: 'operator',
  prefix: 'operator ',
  counted: ['operator'],
  people: sql`staff`,
  places: sql`staff_places`,
  factors: sql`staff_second_factors`,
  id: sql`operator_id`,
  holders: sql`staff`,
  person: sql`id`,
  links: sql`staff_links`,
  sessions: sql`staff_sessions`,
  holder: sql`operator_id`,
  ifOpen: nothing,
  sessionColumns: sql`, staff.id as "operatorId", staff.seen_at as "seenAt"`,
  holderColumns: nothing,
  token: 'operator',
  // Shorter than a member's: an operator reaches everybody's money.
  sessionMs: 12 * HOUR,
  idleMs: 1 * HOUR,
  maxSessions: 10,
  welcome: '/operator/welcome',
});

/** Those who can move money or change who can. */
const guardedRoles: readonly OperatorRole[] = ['admin', 'finance'];

/** On one's own machine the second factor is a choice; as soon as others can reach the console, these roles need it. */
export const needsSecondFactor = (role: OperatorRole, panelUrl: URL): boolean =>
  guardedRoles.includes(role) && !isOwnMachine(panelUrl);
