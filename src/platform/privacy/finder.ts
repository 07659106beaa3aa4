import { raw, type Sql, sql } from '../db/query/sql.ts';

/* How the rows about somebody are found. What is done to them is in `places.ts`. */

export type Subject =
  | { readonly kind: 'iccid' | 'email' | 'reference'; readonly value: string }
  | { readonly kind: 'partner'; readonly id: number };

export const worlds = ['live', 'sandbox'] as const;
type World = (typeof worlds)[number];

/** How rows are found; each gives a condition on `t`, or undefined where nothing of the subject can be there. */
export type Finder = ReturnType<typeof finderOf>;

export const column = (name: string): Sql => raw(`t.${name}`);

export function finderOf(subject: Subject, world: World | 'shared', helpIds: readonly bigint[] = []) {
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
    /** Set for an email subject: in lower case. */
    address: email,
    /** How JSON has an ICCID or a reference. */
    quoted: isNamed ? JSON.stringify(subject.value) : undefined,
    /** Help requests that were sent with the address. */
    helpIds,
    /** Rows of the orders of the subject; the column has their ids. */
    orders: (name: string) => chosen && sql`${column(name)} in (${chosen})`,
    iccids: (name: string) =>
      chosen && sql`${column(name)} in (select iccid from ${raw(`${world}.orders`)} where id in (${chosen}))`,
    partner: (name = 'partner_id') => (subject.kind === 'partner' ? sql`${column(name)} = ${subject.id}` : undefined),
    /** Addresses, in whatever case they were typed. */
    email: (name: string) => (email === undefined ? undefined : sql`lower(${column(name)}) = ${email}`),
    /** Rows that have the address somewhere within these columns. */
    within(...names: readonly string[]) {
      if (email === undefined) return undefined;
      return joined(names.map((name) => sql`${column(name)}::text ~* ${pattern(email)}`));
    },
    either: (...conditions: readonly (Sql | undefined)[]) => joined(conditions.filter((one) => one !== undefined)),
  };

  function joined(conditions: readonly Sql[]): Sql | undefined {
    return conditions.length === 0 ? undefined : conditions.reduce((a, b) => sql`${a} or ${b}`);
  }
}

/** The address itself, and not a longer one that contains it: `ana@example.com` is neither in `nana@example.com` nor in `ana@example.com.au`. */
export const pattern = (address: string): string =>
  `(?<![[:alnum:]._%+-])${address.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![[:alnum:]-]|\\.[[:alnum:]])`;
