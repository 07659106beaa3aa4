import { MINUTE } from '../../../../platform/clock.ts';
import type { Queryable, Tx } from '../../../../platform/db/database.ts';
import { aheadOfRealTime } from '../../../../platform/db/query/account-time.ts';
import { sql } from '../../../../platform/db/query/sql.ts';
import type { EventName } from '../../events/events.ts';

/*
 * `catalog.changed`: which catalog was last reported to a partner. The catalog at the time of subscribing is the first one. What a
 * catalog is, and what differs between two, is for those to say who know catalogs; here it is three names.
 */

/** Names a partner's catalog: its state, and what set the partner's prices. */
export interface SentCatalog {
  readonly state: { readonly id: bigint; readonly token: string };
  readonly contractId: string;
}

export interface CatalogNotice extends SentCatalog {
  readonly partnerId: number;
  /** How rows were written then; null: no catalog was reported to the partner since it subscribed. */
  readonly form: string | null;
  readonly events: number;
  readonly aheadMs: number;
}

const CATALOG_EVENT = 'catalog.changed' satisfies EventName;

/** Events of one partner are at least so far apart, by the account's own clock. */
const APART_MS = 5 * MINUTE;
const MOST_AT_ONCE = 1_000;

const names = sql`deleted_at is null and ${CATALOG_EVENT} = any(events)`;

interface Subscribed {
  readonly id: bigint;
  readonly partnerId: number;
  readonly events: readonly EventName[];
}

/**
 * For a subscription that newly names the event: from now on the partner is notified of what differs from the catalog as `read` finds it,
 * unless another of its subscriptions is already.
 */
export async function beginCatalogNotices(
  tx: Tx,
  { id: subscriptionId, partnerId, events }: Subscribed,
  before: Pick<Subscribed, 'events'> | undefined,
  read: () => Promise<SentCatalog>,
): Promise<void> {
  if (!events.includes(CATALOG_EVENT) || before?.events.includes(CATALOG_EVENT)) return;
  const latest = await read();
  await tx.run(sql`
    insert into catalog_notices as known (partner_id, state, token, contract)
    values (${partnerId}, ${latest.state.id}, ${latest.state.token}, ${latest.contractId})
    on conflict (partner_id) do update
    set state = excluded.state, token = excluded.token, contract = excluded.contract, form = null
    where not exists (
      select from webhook_subscriptions
      where partner_id = known.partner_id and id <> ${subscriptionId} and ${names})`);
}

/** Partners whose next event may be sent at `now`. */
export async function dueCatalogNotices(db: Queryable, now: number): Promise<CatalogNotice[]> {
  const ahead = aheadOfRealTime(sql`notice.partner_id`);
  const rows = await db.query<Omit<CatalogNotice, 'state'> & { id: bigint; token: string }>(sql`
    select partner_id as "partnerId", state as id, token, form, contract as "contractId", events,
      extract(epoch from ${ahead})::float8 * 1000 as "aheadMs"
    from catalog_notices as notice
    where (sent_at is null or sent_at <= ${new Date(now - APART_MS)}::timestamptz + ${ahead})
      and exists (select from webhook_subscriptions where partner_id = notice.partner_id and ${names})
    order by sent_at nulls first limit ${MOST_AT_ONCE}`);
  return rows.map(({ id, token, ...notice }) => ({ ...notice, state: { id, token } }));
}

/**
 * `latest` is the catalog reported to the partner; with `sentAt`, by an event. False: another process was first, and this one must send nothing. The
 * row is locked until the transaction ends.
 */
export async function noteCatalog(
  tx: Tx,
  { partnerId, state, contractId, events }: CatalogNotice,
  latest: SentCatalog & { readonly form: string },
  sentAt: Date | undefined,
): Promise<boolean> {
  const updated = await tx.run(sql`
    update catalog_notices set state = ${latest.state.id}, token = ${latest.state.token}, form = ${latest.form},
      contract = ${latest.contractId}, events = events + ${sentAt ? 1 : 0}, sent_at = coalesce(${sentAt ?? null}, sent_at)
    where partner_id = ${partnerId} and events = ${events} and state = ${state.id} and contract = ${contractId}`);
  return updated > 0;
}
