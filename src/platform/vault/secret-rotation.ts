import type { Db, Tx } from '../db/database.ts';
import { raw, sql } from '../db/query/sql.ts';
import { OWN_KEY, type Vault } from './secrets.ts';

/**
 * Every column with sealed content, in each world; the key of each table is `id`. A test compares this with the schema. Of activation
 * data only the keys are sealed again, which is all that the main secret seals of it.
 */
export const SEALED_COLUMNS = [
  { table: 'esim_keys', column: 'sealed' },
  { table: 'orders', column: 'esim' },
  { table: 'webhook_subscriptions', column: 'secret' },
  { table: 'webhook_subscriptions', column: 'previous_secret' },
  { table: 'webhook_deliveries', column: 'body' },
  { table: 'stock_items', column: 'esim' },
  { table: 'help_requests', column: 'sealed' },
  { table: 'help_requests', column: 'answer' },
] as const;
/** The same of what both worlds share. */
export const SHARED_SEALED_COLUMNS = [
  { table: 'mails', column: 'content' },
  { table: 'second_factors', column: 'secret' },
  { table: 'staff_second_factors', column: 'secret' },
  { table: 'action_keys', column: 'sealed' },
  { table: 'supplier_accounts', column: 'secrets' },
  { table: 'api_keys', column: 'sealed' },
  { table: 'api_keys', column: 'client_secret' },
  { table: 'proposals', column: 'sealed' },
  { table: 'partner_sso', column: 'client_secret' },
] as const;

const PLACES = [
  ['shared', SHARED_SEALED_COLUMNS],
  ['live', SEALED_COLUMNS],
  ['sandbox', SEALED_COLUMNS],
] as const;

const BATCH = 500;

/**
 * Seals with the current secret whatever an old one sealed, and returns how many values that were. It works in batches, so it
 * can be stopped and started again at any point, beside servers that open with both secrets and seal with the new one.
 */
export async function resealAll(
  db: Db,
  vault: Vault,
  progress: (label: string, done: number, total: number) => void = () => {},
): Promise<number> {
  let resealed = 0;
  for (const [schema, columns] of PLACES) {
    for (const { table, column } of columns) {
      const place = { name: raw(`${schema}.${table}`), column: raw(column) };
      const old = sql`${place.column} is not null and substring(${place.column} from 1 for 4) not in (${vault.keyId}, ${OWN_KEY})`;
      const { total } = await db.one<{ total: bigint }>(sql`select count(*) as total from ${place.name} where ${old}`);
      let done = 0;
      let after = 0n;
      for (;;) {
        const batch = sql`
          select id, ${place.column} as sealed from ${place.name} where id > ${after} and ${old}
          order by id limit ${BATCH} for no key update`;
        const last = await db.tx(async (tx) => reseal(tx, vault, place, await tx.query<Sealed>(batch)));
        if (!last) break;
        after = last.id;
        done += last.count;
        progress(`${schema} ${table}.${column}`, done, Math.max(done, Number(total)));
      }
      resealed += done;
    }
  }
  return resealed;
}

interface Sealed {
  id: bigint;
  sealed: Buffer;
}

async function reseal(
  tx: Tx,
  vault: Vault,
  { name, column }: { name: ReturnType<typeof raw>; column: ReturnType<typeof raw> },
  rows: readonly Sealed[],
): Promise<{ id: bigint; count: number } | undefined> {
  const last = rows.at(-1);
  if (!last) return undefined;
  await tx.run(sql`
    update ${name} as t set ${column} = fresh.sealed
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ sealed }) => vault.seal(vault.open(sealed)))}::bytea[])
      as fresh (id, sealed)
    where t.id = fresh.id`);
  return { id: last.id, count: rows.length };
}
