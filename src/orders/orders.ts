import { sql } from '../db/sql.ts';
import type { Cents } from '../money/money.ts';
import type { Vault } from '../secrets.ts';
import type { Esim } from '../suppliers/supplier.ts';
import type { World } from '../worlds/world.ts';
import { qrAddress, readQrToken } from './qr-address.ts';
import { referenceOf } from './reference.ts';

/** An order as its partner reads it. */
export interface Order {
  readonly id: bigint;
  readonly productId: string;
  readonly productTitle: string;
  readonly productPrice: Cents;
  readonly salePrice: Cents;
  readonly status: number;
  readonly supplierOrder: string | null;
  /** Our name for it at the supplier. */
  readonly reference: string;
  readonly data: string;
  readonly day: number;
  readonly isUnlimited: boolean;
  readonly countryCode: string;
  readonly createdAt: Date;
  /** Activation data, once delivered. */
  readonly esim: (Esim & { readonly qrcodeUrl: string }) | null;
}

export type OrderWorld = Pick<World, 'schema' | 'db'>;

export interface Orders {
  /** A page of what was bought, newest first; failed orders are left out. */
  list(world: OrderWorld, partnerId: number, page: { limit: number; start: number }): Promise<Order[]>;
  find(world: OrderWorld, partnerId: number, orderId: bigint): Promise<Order | undefined>;
  /** What the QR code of a signed address says; undefined: no such address. */
  activationCode(worlds: Readonly<Record<World['schema'], OrderWorld>>, token: string): Promise<string | undefined>;
}

const columns = sql`
  id, product_id as "productId", product_title as "productTitle", product_price as "productPrice",
  sale_price as "salePrice", status, supplier_order as "supplierOrder", data, day, is_unlimited as "isUnlimited",
  country_code as "countryCode", created_at as "createdAt", esim`;

type Row = Omit<Order, 'esim' | 'reference'> & { esim: Buffer | null };

export function createOrders({ vault, panelUrl }: { vault: Vault; panelUrl: URL }): Orders {
  function opened(world: OrderWorld, row: Row): Order {
    const reference = referenceOf(world, row.id);
    if (!row.esim) return { ...row, reference, esim: null };
    const esim = JSON.parse(vault.open(row.esim)) as Esim;
    return { ...row, reference, esim: { ...esim, qrcodeUrl: qrAddress(vault, panelUrl, world.schema, row.id) } };
  }

  return {
    async list(world, partnerId, { limit, start }) {
      // The page is found in the index alone; only its own rows are fetched.
      const rows = await world.db.query<Row>(sql`
        select ${columns} from orders join (
          select id from orders where partner_id = ${partnerId} and status <> 2
          order by id desc limit ${limit} offset ${(start - 1) * limit}
        ) as page using (id)
        order by id desc`);
      return rows.map((row) => opened(world, row));
    },

    async find(world, partnerId, orderId) {
      const row = await world.db.maybe<Row>(sql`
        select ${columns} from orders where id = ${orderId} and partner_id = ${partnerId}`);
      return row && opened(world, row);
    },

    async activationCode(worlds, token) {
      const named = readQrToken(vault, token);
      if (!named) return undefined;
      const row = await worlds[named.schema].db.maybe<{ esim: Buffer | null }>(sql`
        select esim from orders where id = ${named.orderId}`);
      return row?.esim ? (JSON.parse(vault.open(row.esim)) as Esim).activationCode : undefined;
    },
  };
}
