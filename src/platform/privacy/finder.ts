import { raw, type Sql, sql } from '../db/query/sql.ts';

/* How the rows about somebody are found. What is done to them is in `places.ts`. */

export type Subject =
  | { readonly kind: 'iccid' | 'email' | 'reference'; readonly value: string }
  | { readonly kind: 'partner'; readonly id: number };

export const worlds = ['live', 'sandbox'] as const;
type World = (typeof worlds)[number];

/** How rows are found; each gives a condition on `t`, or undefined where nothing of the subject can be there. */
export interface Finder {
  readonly world: World | 'shared';
  readonly subject: Subject;
  /** Set for an email subject: in lower case. */
  readonly address: string | undefined;
  /** How JSON has an ICCID or a reference. */
  readonly quoted: string | undefined;
  /** Rows of the orders of the subject; `column` has their ids. */
  orders(column: string): Sql | undefined;
  iccids(column: string): Sql | undefined;
  partner(column?: string): Sql | undefined;
  /** Addresses, in whatever case they were typed. */
  email(column: string): Sql | undefined;
  /** Rows that have the address somewhere within these columns. */
  within(...columns: readonly string[]): Sql | undefined;
  /** Help requests that were sent with the address. */
  readonly helpIds: readonly bigint[];
  either(...conditions: readonly (Sql | undefined)[]): Sql | undefined;
}

export const column = (name: string): Sql => raw(`t.${name}`);

export function finderOf(subject: Subject, world: World | 'shared', helpIds: readonly bigint[] = []): Finder {
  const orders = (schema: string): Sql | undefined => {
    const table = raw(`${schema}.orders`);
    if (subject.kind === 'partner') return sql`select id from ${table} where partner_id = ${subject.id}`;
    if (subject.kind === 'iccid') return sql`select id from ${table} where iccid = ${subject.value}`;
    if (subject.kind === 'email') return undefined;
    const named = sql`select id from ${table} where reference = ${subject.value}`;
    return sql`${named} union select id from ${table} where refill_of in (${named})`;
  };
  const email = subject.kind === 'email' ? subject.value.toLowerCase() : undefined;
  const isNamed = subject.kind === 'iccid' || subject.kind === 'reference';
  const chosen = world === 'shared' ? undefined : orders(world);
  return {
    world,
    subject,
    address: email,
    quoted: isNamed ? JSON.stringify(subject.value) : undefined,
    helpIds,
    orders: (name) => chosen && sql`${column(name)} in (${chosen})`,
    iccids: (name) =>
      chosen && sql`${column(name)} in (select iccid from ${raw(`${world}.orders`)} where id in (${chosen}))`,
    partner: (name = 'partner_id') => (subject.kind === 'partner' ? sql`${column(name)} = ${subject.id}` : undefined),
    email: (name) => (email === undefined ? undefined : sql`lower(${column(name)}) = ${email}`),
    within(...names) {
      if (email === undefined) return undefined;
      return joined(names.map((name) => sql`${column(name)}::text ~* ${pattern(email)}`));
    },
    either: (...conditions) => joined(conditions.filter((one) => one !== undefined)),
  };

  function joined(conditions: readonly Sql[]): Sql | undefined {
    return conditions.length === 0 ? undefined : conditions.reduce((a, b) => sql`${a} or ${b}`);
  }
}

/** The address itself, and not a longer one that contains it: `ana@example.com` is neither in `nana@example.com` nor in `ana@example.com.au`. */
export const pattern = (address: string): string =>
  `(?<![[:alnum:]._%+-])${address.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![[:alnum:]-]|\\.[[:alnum:]])`;
