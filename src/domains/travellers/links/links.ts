import { BIG_ID_DIGITS } from '../../../platform/contract/ids.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';
import { replacedEsims } from '../../sales/esims/esims.ts';

const PURPOSE = 'share';
/** The prefix is how the log knows one and cuts it out. The signature is 32 bytes in base64url. */
const TOKEN = new RegExp(`^wft_([a-z]+)-(${BIG_ID_DIGITS})-(0|[1-9]\\d{0,8})-([\\w-]{43})$`);

/** What a token names: one generation of the link of one order. */
export interface NamedLink {
  readonly schema: Mode;
  readonly orderId: bigint;
  readonly generation: number;
}

const signed = ({ schema, orderId, generation }: NamedLink): string => `${schema} ${orderId} ${generation}`;

/** The address of a traveller's page. Anyone with the address has the eSIM, so it is signed and cannot be guessed. */
export function linkAddress(vault: Vault, panelUrl: URL, link: NamedLink): string {
  const signature = Buffer.from(vault.sign(PURPOSE, signed(link)), 'hex').toString('base64url');
  const token = `wft_${link.schema}-${link.orderId}-${link.generation}-${signature}`;
  return `${panelUrl.href.replace(/\/$/, '')}/e/${token}`;
}

/** Undefined unless the signature is ours. Whether the link still works is up to the order and its row. */
export function readLinkToken(vault: Vault, token: string): NamedLink | undefined {
  const [, schema = '', id = '', generation = '', signature = ''] = TOKEN.exec(token) ?? [];
  const bytes = Buffer.from(signature, 'base64url');
  // The last character has bits to spare: each token has one spelling.
  if (signature === '' || bytes.toString('base64url') !== signature) return undefined;
  // We only ever sign the names of our two worlds.
  const link = { schema: schema as Mode, orderId: BigInt(id), generation: Number(generation) };
  return vault.verify(PURPOSE, signed(link), bytes.toString('hex')) ? link : undefined;
}

/**
 * Whether an order has a page to share, as an SQL condition: it delivered an eSIM that is still the traveller's. A partial refund
 * changes nothing; a full refund or a withdrawal ends it.
 */
const isShareable: Sql = sql`
  orders.status = 1 and orders.refill_of is null and orders.esim is not null and orders.withdrawn_at is null
  and (orders.refunded = 0 or orders.refunded < orders.sale_price)`;

/** The eSIM of `orders` that the link of order `sold` shows: the link stays the same when its eSIM is replaced. */
export const soldAndShown: Sql = sql`orders sold join orders on orders.id = ${replacedEsims.lastInPlaceOf(sql`sold.id`, 'replaced')}`;

/** Whether the link of order `sold` shows the eSIM of `orders`. A full refund of either ends it. */
export const isShown: Sql = sql`${isShareable} and (sold.refunded = 0 or sold.refunded < sold.sale_price)`;

/** The link of one order, as its partner sees it. */
export interface TravellerLink {
  readonly orderId: bigint;
  readonly partnerId: number;
  readonly generation: number;
  readonly isShareable: boolean;
  readonly revokedAt: Date | null;
  readonly views: number;
  readonly installsOpened: number;
}

export async function findLink(db: Queryable, orderId: bigint): Promise<TravellerLink> {
  const link = await db.maybe<TravellerLink>(sql`
    select sold.id as "orderId", sold.partner_id as "partnerId", coalesce(generation, 0) as generation,
      (${isShown}) as "isShareable", revoked_at as "revokedAt", coalesce(views, 0)::float8 as views,
      coalesce(installs_opened, 0)::float8 as "installsOpened"
    from ${soldAndShown} left join traveller_links on order_id = sold.id
    where sold.id = ${orderId}`);
  if (!link) throw new Refused('order_not_found');
  return link;
}

export async function revokeLink(tx: Tx, orderId: bigint, now: Date): Promise<void> {
  await tx.run(sql`
    insert into traveller_links as kept (order_id, revoked_at) values (${orderId}, ${now})
    on conflict (order_id) do update set revoked_at = coalesce(kept.revoked_at, excluded.revoked_at)`);
}

/** Creates a new link and ends the previous one. */
export async function renewLink(tx: Tx, orderId: bigint): Promise<void> {
  await tx.run(sql`
    insert into traveller_links as kept (order_id, generation) values (${orderId}, 1)
    on conflict (order_id) do update set generation = kept.generation + 1, revoked_at = null`);
}

/** Until the end of the transaction: two requests at once must not both take the last mail of the day. */
export async function lockTravellerMails(tx: Tx, partnerId: number): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtext('traveller mails'), ${partnerId}::int)`);
}
