import type { Mode } from '../contract/mode.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Cents } from '../money/money.ts';
import type { Vault } from '../secrets.ts';
import type { Esim } from '../suppliers/suppliers.ts';
import { qrAddress } from './qr-address.ts';
import { supplierReferenceOf } from './supplier-reference.ts';

export {
  findOrders,
  type ListedOrder,
  listOrders,
  type OrderFilter,
  type OrderRecord,
  readOrder,
  type WaitingOrder,
  waitingOrders,
} from './lookup.ts';
export { readQrToken } from './qr-address.ts';
export { orderOfReference, supplierReferenceOf } from './supplier-reference.ts';
export { eventOf, type State, stateOf, states } from './transitions.ts';

/** An order as its partner reads it. */
export interface Order {
  readonly id: bigint;
  readonly productId: string;
  readonly productTitle: string;
  readonly productPrice: Cents;
  readonly salePrice: Cents;
  readonly status: number;
  readonly supplierOrder: string | null;
  /** The partner's own; empty: none was given. */
  readonly reference: string;
  /** Our name for it at the supplier. */
  readonly supplierReference: string;
  /** Set: it refilled the eSIM of this earlier order. */
  readonly refillOf: bigint | null;
  /** What of its price was given back. */
  readonly refunded: Cents;
  readonly data: string;
  readonly day: number;
  readonly isUnlimited: boolean;
  readonly countryCode: string;
  readonly createdAt: Date;
  /** Activation data, once delivered. */
  readonly esim: (Esim & { readonly qrcodeUrl: string }) | null;
}

/** The orders of one world. */
export interface Orders {
  /** One page, newest first. Failed orders are left out. */
  list(partnerId: number, page: { limit: number; start: number }): Promise<Order[]>;
  find(partnerId: number, orderId: bigint): Promise<Order | undefined>;
  /** What the QR code of an order encodes. The caller has proved its right to it by a signed address. */
  activationCode(orderId: bigint): Promise<string | undefined>;
}

/** The part of a world its orders need. */
export interface OrderWorld {
  readonly schema: Mode;
  readonly db: Db;
}

const columns = sql`
  id, reference, refill_of as "refillOf", refunded, product_id as "productId", product_title as "productTitle", product_price as "productPrice",
  sale_price as "salePrice", status, supplier_order as "supplierOrder", data, day, is_unlimited as "isUnlimited",
  country_code as "countryCode", created_at as "createdAt", esim`;

type Row = Omit<Order, 'esim' | 'supplierReference'> & { esim: Buffer | null };

export function createOrders(world: OrderWorld, { vault, panelUrl }: { vault: Vault; panelUrl: URL }): Orders {
  const { db, schema } = world;

  function opened(row: Row): Order {
    const supplierReference = supplierReferenceOf(world, row.id);
    if (!row.esim) return { ...row, supplierReference, esim: null };
    const esim = JSON.parse(vault.open(row.esim)) as Esim;
    return { ...row, supplierReference, esim: { ...esim, qrcodeUrl: qrAddress(vault, panelUrl, schema, row.id) } };
  }

  return {
    async list(partnerId, { limit, start }) {
      // The page is found in the index alone; only its own rows are fetched.
      const rows = await db.query<Row>(sql`
        select ${columns} from orders join (
          select id from orders where partner_id = ${partnerId} and status <> 2
          order by id desc limit ${limit} offset ${(start - 1) * limit}
        ) as page using (id)
        order by id desc`);
      return rows.map(opened);
    },

    async find(partnerId, orderId) {
      const row = await db.maybe<Row>(sql`
        select ${columns} from orders where id = ${orderId} and partner_id = ${partnerId}`);
      return row && opened(row);
    },

    async activationCode(orderId) {
      const row = await db.maybe<{ esim: Buffer | null }>(sql`select esim from orders where id = ${orderId}`);
      return row?.esim ? (JSON.parse(vault.open(row.esim)) as Esim).activationCode : undefined;
    },
  };
}
