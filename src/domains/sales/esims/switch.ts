import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { SoldEsim } from './sold.ts';

type Of = Pick<SoldEsim, 'orderId'>;

interface Row {
  readonly isSuspended: boolean;
  readonly switches: number;
  readonly switchingUntil: Date | null;
}

const locked = (tx: Tx, { orderId }: Of): Promise<Row | undefined> =>
  tx.maybe<Row>(sql`
    select suspended_at is not null as "isSuspended", switches, switching_until as "switchingUntil"
    from esim_profiles where order_id = ${orderId} for update`);

const wasReplaced = async (tx: Tx, { orderId }: Of): Promise<boolean> =>
  (await tx.maybe(sql`select from esim_replacements where old_order_id = ${orderId} and status = 'replaced'`)) !==
  undefined;

/**
 * The switch of an eSIM's service, as it is on record. One process at a time asks the supplier to suspend or resume an eSIM. It leaves
 * a mark before it asks and removes it with the outcome. If it dies in between, the mark runs out and stays: the supplier may or may
 * not have switched the eSIM, so it is asked again by the next request, whichever way that one wants it.
 */
export const serviceSwitch = {
  /**
   * `settled`: it is as wanted, so there is nothing to ask for. `busy`: another process is at it. `gone`: its account was reset.
   * `replaced`: a new eSIM works in its place, so it is not switched on again.
   * `isOpen`: an earlier switch may not have ended.
   */
  async begin(
    tx: Tx,
    of: Of,
    isSuspended: boolean,
    now: Date,
    until: Date,
  ): Promise<'settled' | 'busy' | 'gone' | 'replaced' | { readonly isOpen: boolean }> {
    const known = await locked(tx, of);
    // Once the row is locked: the old eSIM is suspended after its replacement is recorded, and also waits for the lock.
    if (!isSuspended && (await wasReplaced(tx, of))) return 'replaced';
    if (!known && !isSuspended) return 'settled';
    if (!known)
      await tx.run(sql`
        insert into esim_profiles (order_id, partner_id, iccid, updated_at)
        select id, partner_id, iccid, ${now} from orders where id = ${of.orderId} for key share
        on conflict (order_id) do nothing`);
    const row = known ?? (await locked(tx, of));
    if (!row) return 'gone';
    const isOpen = row.switchingUntil !== null;
    if (row.switchingUntil !== null && row.switchingUntil > now) return 'busy';
    if (!isOpen && row.isSuspended === isSuspended) return 'settled';
    await tx.run(sql`update esim_profiles set switching_until = ${until} where order_id = ${of.orderId}`);
    return { isOpen };
  },

  /** The supplier has not switched it or, if `isOpen`, may have: others need not wait any longer. */
  async release(db: Queryable, { orderId }: Of, until: Date, isOpen: boolean): Promise<void> {
    await db.run(sql`
      update esim_profiles set switching_until = ${isOpen ? sql`'epoch'::timestamptz` : null}
      where order_id = ${orderId} and switching_until = ${until}`);
  },

  /** The supplier has switched it. Undefined: the mark had run out, and another process has taken over. */
  async end(
    tx: Tx,
    of: Of,
    until: Date,
    isSuspended: boolean,
    at: Date,
  ): Promise<{ readonly isChanged: boolean; readonly switches: number } | undefined> {
    const row = await locked(tx, of);
    if (row?.switchingUntil?.getTime() !== until.getTime()) return undefined;
    const isChanged = row.isSuspended !== isSuspended;
    const switches = row.switches + Number(isChanged);
    await tx.run(sql`
      update esim_profiles set switching_until = null, switches = ${switches}, updated_at = ${at},
        suspended_at = ${isSuspended ? sql`coalesce(suspended_at, ${at})` : null}
      where order_id = ${of.orderId}`);
    return { isChanged, switches };
  },
};
