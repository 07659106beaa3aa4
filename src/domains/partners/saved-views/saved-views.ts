import { Refused } from '../../../platform/contract/refused.ts';
import { isDuplicate, type Queryable, type Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';

/** Of all lists together. */
const MAX_VIEWS = 50;
/** Whose views: a member's at one partner, or an operator's. */
export type ViewOwner = { readonly memberId: number } | { readonly operatorId: number };

export interface SavedView {
  readonly id: bigint;
  readonly list: string;
  readonly name: string;
  readonly filters: Readonly<Record<string, string>>;
}

const ownerColumn = (owner: ViewOwner): Sql => ('memberId' in owner ? sql`member_id` : sql`operator_id`);
const ownerId = (owner: ViewOwner): number => ('memberId' in owner ? owner.memberId : owner.operatorId);
const isOwn = (owner: ViewOwner): Sql => sql`${ownerColumn(owner)} = ${ownerId(owner)}`;
const columns = sql`id, list, name, filters`;

/** List filters that a person saved under a name. Only that person sees them. */
export const savedViews = {
  list: (db: Queryable, owner: ViewOwner): Promise<SavedView[]> =>
    db.query(sql`select ${columns} from saved_views where ${isOwn(owner)} order by list, lower(name)`),

  async save(
    tx: Tx,
    owner: ViewOwner,
    { list, name, filters }: Omit<SavedView, 'id'>,
    now: number,
  ): Promise<SavedView> {
    // Two that arrive together must not both find the last place.
    const whose = 'memberId' in owner ? 'views of a member' : 'views of an operator';
    await tx.run(sql`select pg_advisory_xact_lock(hashtext(${whose}), ${ownerId(owner)}::int)`);
    const { count } = await tx.one<{ count: number }>(sql`
      select count(*)::int as count from saved_views where ${isOwn(owner)}`);
    if (count >= MAX_VIEWS) throw new Refused('view_limit_reached');
    return unlessTaken(
      tx.one(sql`
        insert into saved_views (${ownerColumn(owner)}, list, name, filters, created_at)
        values (${ownerId(owner)}, ${list}, ${name}, ${JSON.stringify(filters)}::jsonb, ${new Date(now)})
        returning ${columns}`),
    );
  },

  async rename(tx: Tx, owner: ViewOwner, id: bigint, name: string): Promise<SavedView> {
    const renamed = await unlessTaken(
      tx.maybe<SavedView>(sql`
        update saved_views set name = ${name} where id = ${id} and ${isOwn(owner)} returning ${columns}`),
    );
    if (!renamed) throw new Refused('view_not_found');
    return renamed;
  },

  async remove(tx: Tx, owner: ViewOwner, id: bigint): Promise<void> {
    const removed = await tx.run(sql`delete from saved_views where id = ${id} and ${isOwn(owner)}`);
    if (removed === 0) throw new Refused('view_not_found');
  },
};

/** One name in one list; case does not matter. */
async function unlessTaken<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    if (isDuplicate(error)) throw new Refused('view_exists');
    throw error;
  }
}
