import type { Queryable } from '../db/database.ts';
import { nothing, type Sql, sql } from '../db/sql.ts';
import type { Page, Place, Step, Walks } from '../db/walk.ts';
import { readBalance } from './balance.ts';
import type { Cents } from './cents.ts';
import { readSpendingPower, type SpendingPower } from './spending-power.ts';
import type { DebtMovementType, WalletMovementType } from './wallet.ts';

export type { Page };

export interface Line<Type> {
  readonly id: bigint;
  readonly type: Type;
  /** Signed as it changed the book's balance. */
  readonly amount: Cents;
  readonly balanceAfter: Cents;
  readonly orderId: bigint | null;
  readonly note: string;
  readonly at: Date;
}

export interface Balances {
  readonly cash: Cents;
  readonly promo: Cents;
  readonly outstanding: Cents;
}

export interface History {
  readonly balances: Balances;
  readonly lines: readonly Line<WalletMovementType>[];
}

export interface Statement {
  readonly billingMode: 'prepaid' | 'postpaid';
  readonly creditLimit: Cents;
  readonly outstanding: Cents;
  readonly status: number;
  readonly profitShareEnabled: boolean;
  readonly lines: readonly Line<DebtMovementType>[];
  /** Set: the page asked for lies too far back, and this one is shown instead. */
  readonly reached: number | undefined;
}

/** What a partner reads of its money. */
export interface Books {
  /** What the partner can spend: promo and cash. */
  balance(partnerId: number): Promise<Cents>;
  spendingPower(partnerId: number): Promise<SpendingPower>;
  history(partnerId: number, page: Page): Promise<History>;
  /** Undefined: no billing account was ever opened. */
  statement(partnerId: number, page: Page, type?: DebtMovementType): Promise<Statement | undefined>;
}

/** Head and lines come from one statement, so the balance always belongs to the lines beside it. */
export function ledgerBooks(db: Queryable, walks: Walks): Books {
  return {
    balance: (partnerId) => readBalance(db, partnerId),
    spendingPower: (partnerId) => readSpendingPower(db, partnerId),

    async history(partnerId, page) {
      const rows = await db.query<Balances & MaybeLine<WalletMovementType>>(sql`
        select wallets.cash, wallets.promo, wallets.outstanding, ${lineColumns}
        from wallets left join lateral (${pageOf(partnerId, 'wallet', sql`wallet_lines`, page)}) line on true
        where wallets.partner_id = ${partnerId}
        order by line.line desc`);
      const [head] = rows;
      if (!head) throw new Error(`partner ${partnerId} has no wallet`);
      return { balances: head, lines: linesIn(rows) };
    },

    async statement(partnerId, page, type) {
      const place = type && (await walks.to(partnerId, page, stepWithin(db, partnerId, type)));
      const rows = await db.query<Omit<Statement, 'lines' | 'reached'> & MaybeLine<DebtMovementType>>(sql`
        select wallets.billing_mode as "billingMode", wallets.outstanding, wallets.status,
          case wallets.billing_mode when 'postpaid' then wallets.credit_limit else 0 end as "creditLimit",
          partners.revenue_share_pct is not null as "profitShareEnabled", ${lineColumns}
        from wallets join partners on partners.id = wallets.partner_id
        left join lateral (
          ${place ? pageOfType(partnerId, type, place) : pageOf(partnerId, 'debt', sql`debt_lines`, page)}
        ) line on true
        where wallets.partner_id = ${partnerId} and wallets.opened_at is not null
        order by line.line desc`);
      const [head] = rows;
      return head && { ...head, lines: linesIn(rows), reached: place?.reached };
    },
  };
}

/**
 * What orders left in either book, as two reads: charges have an index that allows one per order, the rest has another. `where`
 * names the order.
 */
export const movementsOf = (columns: Sql, where: Sql): Sql => sql`
  select ${columns} from movements where ${where} and type in ('purchase', 'charge')
  union all
  select ${columns} from movements where ${where} and order_id is not null and type not in ('purchase', 'charge')`;

/** Every line an order left in either book, oldest first. */
export function linesOfOrder(
  db: Queryable,
  orderId: bigint,
): Promise<(Line<WalletMovementType | DebtMovementType> & { readonly book: 'wallet' | 'debt' })[]> {
  const columns = sql`id, book, type, amount, balance_after as "balanceAfter", order_id as "orderId", note, at`;
  return db.query(sql`${movementsOf(columns, sql`order_id = ${orderId}`)} order by id`);
}

export interface OrderTransfer {
  readonly movementId: bigint;
  readonly debit: string;
  readonly credit: string;
  readonly amount: Cents;
}

/** The double entries behind those lines: which account each debits and credits. */
export function transfersOfOrder(db: Queryable, orderId: bigint): Promise<OrderTransfer[]> {
  return db.query(sql`
    select movement_id as "movementId", debit, credit, amount from transfers
    where movement_id = any (array (select id from movements where order_id = ${orderId})) order by id`);
}

const lineColumns = sql`line.id as "lineId", line.type, line.amount, line.balance_after as "balanceAfter",
  line.order_id as "orderId", line.note, line.at`;

const before = ({ limit, start }: Page): number => (start - 1) * limit;

/** Lines are numbered without a gap, so any page is found by its number, counted back from the last. */
const pageOf = (partnerId: number, book: 'wallet' | 'debt', lines: Sql, page: Page) => sql`
  select id, line, type, amount, balance_after, order_id, note, at from movements
  where partner_id = ${partnerId} and book = ${book} and line <= wallets.${lines} - ${before(page)}::bigint
  order by line desc limit ${page.limit}`;

/** Within one type there is no numbering: the lines before the page are counted off in the index of that type. */
const pageOfType = (partnerId: number, type: DebtMovementType, place: Place<bigint>) => sql`
  select id, line, type, amount, balance_after, order_id, note, at from movements
  where partner_id = ${partnerId} and book = 'debt' and line = any(array(
    ${linesOfType(partnerId, type, place.after)} limit ${place.limit} offset ${place.offset}))`;

const linesOfType = (partnerId: number, type: DebtMovementType, after: bigint | undefined) => sql`
  select line from movements where partner_id = ${partnerId} and book = 'debt' and type = ${type}
    ${after === undefined ? nothing : sql`and line < ${after}`} order by line desc`;

const stepWithin =
  (db: Queryable, partnerId: number, type: DebtMovementType): Step<bigint> =>
  async (after, rows) =>
    (await db.maybe<{ line: bigint }>(sql`${linesOfType(partnerId, type, after)} limit 1 offset ${rows - 1}`))?.line;

type MaybeLine<Type> = Omit<Line<Type>, 'id'> & { readonly lineId: bigint | null };

/** A left join without lines still has its head row, with an empty line beside it. */
function linesIn<Type>(rows: readonly MaybeLine<Type>[]): Line<Type>[] {
  return rows.flatMap(({ lineId, ...line }) => (lineId === null ? [] : [{ ...line, id: lineId }]));
}
