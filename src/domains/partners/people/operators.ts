import { DAY, HOUR, MINUTE } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { nothing, sql } from '../../../platform/db/query/sql.ts';
import { isOwnMachine } from '../../../platform/settings/site.ts';
import { Access } from './access.ts';
import type { LinkHolder } from './links.ts';
import { requireEmail } from './members.ts';
import type { SignedIn } from './register.ts';
import type { OperatorRole } from './roles.ts';

export interface OperatorSession extends SignedIn {
  readonly operatorId: number;
  readonly role: OperatorRole;
  /** When they were last at the console, to the minute. */
  readonly seenAt: Date | null;
}

/** What `sso require` sets. */
const REQUIRED = 'operators_sso_required';
const requiresSso = sql`exists (select from settings where name = ${REQUIRED} and value = 'true'::jsonb)`;

/** The console's. An operator is one person with one address. */
export const operatorAccess = new Access<LinkHolder, OperatorSession>({
  name: 'operator',
  prefix: 'operator ',
  counted: ['operator'],
  people: sql`staff`,
  places: sql`staff_places`,
  factors: sql`staff_second_factors`,
  passkeys: sql`staff_passkeys`,
  id: sql`operator_id`,
  holders: sql`staff`,
  person: sql`id`,
  links: sql`staff_links`,
  sessions: sql`staff_sessions`,
  holder: sql`operator_id`,
  ifOpen: nothing,
  needsSso: sql`(not staff.break_glass and ${requiresSso})`,
  isBreakGlass: sql`(staff.break_glass and ${requiresSso})`,
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

export interface Operator {
  readonly operatorId: number;
  readonly email: string;
  readonly role: OperatorRole;
  /** False until the invitation is accepted. */
  readonly hasAccepted: boolean;
  readonly hasSecondFactor: boolean;
  readonly createdAt: Date;
  readonly lastSignInAt: Date | null;
}

const columns = sql`
  id as "operatorId", email, role,
  password_hash is not null or exists (select from staff_identities where operator_id = staff.id) as "hasAccepted",
  exists (select from staff_second_factors where operator_id = staff.id and on_since is not null)
    or exists (select from staff_passkeys where operator_id = staff.id) as "hasSecondFactor",
  created_at as "createdAt", last_sign_in_at as "lastSignInAt"`;

/** The operators, as rows. */
export const operators = {
  async create(tx: Tx, { email, role }: Pick<Operator, 'email' | 'role'>, now: number): Promise<Operator> {
    requireEmail(email);
    const created = await tx.maybe<Operator>(sql`
      insert into staff (email, role, created_at) values (${email}, ${role}, ${new Date(now)})
      on conflict do nothing returning ${columns}`);
    if (!created) throw new Refused('operator_exists', `${email} is an operator already`);
    return created;
  },

  list: (db: Queryable): Promise<Operator[]> => db.query(sql`select ${columns} from staff order by lower(email)`),

  async find(db: Queryable, operatorId: number): Promise<Operator> {
    const found = await db.maybe<Operator>(sql`select ${columns} from staff where id = ${operatorId}`);
    if (!found) throw new Refused('operator_not_found');
    return found;
  },

  byEmail: (db: Queryable, email: string): Promise<Operator | undefined> =>
    db.maybe<Operator>(sql`select ${columns} from staff where lower(email) = lower(${email})`),

  async setRole(tx: Tx, operatorId: number, role: OperatorRole): Promise<void> {
    await tx.run(sql`update staff set role = ${role} where id = ${operatorId}`);
  },

  /** Their sessions, their link and their second factor are deleted with the row. The audit log keeps their name. */
  async remove(tx: Tx, operatorId: number): Promise<void> {
    await tx.run(sql`delete from staff where id = ${operatorId}`);
  },

  /**
   * Refuses to leave the console without an admin who can sign in, when this one is removed or gets another role. All admins are
   * locked, so two who remove each other are handled one after the other.
   */
  async requireNotLastAdmin(tx: Tx, operatorId: number): Promise<void> {
    const admins = await tx.query<{ id: number; accepted: boolean }>(sql`
      select id, password_hash is not null or exists (select from staff_identities where operator_id = staff.id) as accepted
      from staff where role = 'admin' order by id for update`);
    if (await tx.maybe(sql`select from staff where id = ${operatorId} and ${operatorAccess.register.isBreakGlass}`))
      throw new Refused('break_glass_stays');
    const isAdmin = admins.some(({ id }) => id === operatorId);
    if (isAdmin && !admins.some(({ id, accepted }) => accepted && id !== operatorId)) throw new Refused('last_admin');
  },

  /** Whether operators need single sign-on, and who is left a password for when it fails. */
  async ssoTerms(db: Queryable): Promise<{ readonly isRequired: boolean; readonly breakGlass: readonly string[] }> {
    const { isRequired } = await db.one<{ isRequired: boolean }>(sql`select ${requiresSso} as "isRequired"`);
    const left = await db.query<{ email: string }>(
      sql`select email from staff where break_glass order by lower(email)`,
    );
    return { isRequired, breakGlass: left.map(({ email }) => email) };
  },

  /** Undefined: no longer required. */
  async requireSso(tx: Tx, breakGlassId: number | undefined): Promise<void> {
    await tx.run(sql`update staff set break_glass = (id = ${breakGlassId ?? null}) is true`);
    await tx.run(sql`
      insert into settings (name, value) values (${REQUIRED}, ${JSON.stringify(breakGlassId !== undefined)}::jsonb)
      on conflict (name) do update set value = excluded.value`);
  },

  /** Operators whose address begins with a text. There are a handful of them. */
  beginning: (db: Queryable, text: string, limit: number): Promise<Operator[]> =>
    db.query(sql`
      select ${columns} from staff where starts_with(lower(email), lower(${text})) order by lower(email) limit ${limit}`),
};

/** How precisely we record when an operator was last at the console. */
const SEEN_MS = MINUTE;
/** After a longer absence, a new visit begins. */
const VISIT_GAP_MS = 30 * MINUTE;
const KEPT_MS = 90 * DAY;
/** More than there are alerts at any time. */
const MOST_DISMISSALS = 200;

interface Dismissal {
  readonly kind: string;
  readonly of: string;
  readonly state: string;
}

/** When operators use the console, and what they dismissed there until it changes. */
export const visits = {
  isDue: (seenAt: Date | null, now: number): boolean => seenAt === null || seenAt.getTime() <= now - SEEN_MS,

  /** Records a visit. Of several requests at once the first one writes; the others wait for it and find nothing to do. */
  async seen(db: Queryable, operatorId: number, now: number): Promise<void> {
    await db.run(sql`
      update staff set seen_at = ${new Date(now)},
        left_at = case when seen_at <= ${new Date(now - VISIT_GAP_MS)} then seen_at else left_at end
      where id = ${operatorId} and (seen_at is null or seen_at <= ${new Date(now - SEEN_MS)})`);
  },

  /** When their visit before this one ended; null: this is the first. */
  async lastEnded(db: Queryable, operatorId: number): Promise<Date | null> {
    const row = await db.maybe<{ leftAt: Date | null }>(
      sql`select left_at as "leftAt" from staff where id = ${operatorId}`,
    );
    return row?.leftAt ?? null;
  },

  dismissals: (db: Queryable, operatorId: number): Promise<Dismissal[]> =>
    db.query(sql`select kind, of, state from staff_dismissals where operator_id = ${operatorId}`),

  async dismiss(tx: Tx, operatorId: number, { kind, of, state }: Dismissal, now: number): Promise<void> {
    await tx.run(sql`
      insert into staff_dismissals (operator_id, kind, of, state, dismissed_at)
      values (${operatorId}, ${kind}, ${of}, ${state}, ${new Date(now)})
      on conflict (operator_id, kind, of) do update set state = excluded.state, dismissed_at = excluded.dismissed_at`);
    await tx.run(sql`
      delete from staff_dismissals where operator_id = ${operatorId} and (dismissed_at < ${new Date(now - KEPT_MS)}
        or (kind, of) not in (select kind, of from staff_dismissals where operator_id = ${operatorId}
          order by dismissed_at desc, kind, of limit ${MOST_DISMISSALS}))`);
  },

  async show(tx: Tx, operatorId: number, { kind, of }: Omit<Dismissal, 'state'>): Promise<void> {
    await tx.run(sql`
      delete from staff_dismissals where operator_id = ${operatorId} and kind = ${kind} and of = ${of}`);
  },
};
