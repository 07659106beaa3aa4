import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { raw, type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Page, Place, Walks } from '../../../platform/db/query/walk.ts';
import { bound } from '../../../platform/db/replicas.ts';
import {
  type DebtMovementType,
  type Funds,
  fundsOf,
  readBalance,
  type Shortfall,
  type Wallet,
  type WalletMovementType,
} from '../ledger/ledger.ts';
import { archivedTo, type Book, isAnyLine, type Line, type LineFilter, lineNumbers, rangeOf } from './line-search.ts';

export { archivedTo, type Book, type Line } from './line-search.ts';
export {
  type BookLine,
  type LedgerReads,
  ledgerPeriods,
  ledgerReads,
  noPeriods,
  type OrderTransfer,
  type Period,
  type PeriodSum,
  type Periods,
} from './periods.ts';

/** A line with what its order says of it; both are empty where it belongs to none. */
export interface BookedLine<Type> extends Line<Type> {
  readonly reference: string;
  readonly productTitle: string;
}

/** A page of a book, newest first. */
interface Lines<Type> {
  readonly lines: readonly BookedLine<Type>[];
  readonly hasMore: boolean;
  /** How many lines the book lists; undefined where a filter picks some of them: those are not counted. */
  readonly total: number | undefined;
  /** Set: the page asked for lies too far back, and this one is shown instead. */
  readonly reached: number | undefined;
  /** Lines before this moment are archived, so no list has them; null: none are. */
  readonly archivedUntil: Date | null;
}

interface Balances {
  readonly cash: Cents;
  readonly promo: Cents;
  readonly outstanding: Cents;
}

interface History extends Lines<WalletMovementType> {
  readonly balances: Balances;
}

interface Statement extends Lines<DebtMovementType> {
  readonly billingMode: 'prepaid' | 'postpaid';
  readonly creditLimit: Cents;
  readonly outstanding: Cents;
  readonly status: number;
  readonly profitShareEnabled: boolean;
}

interface WalletLineFilter extends LineFilter {
  readonly type?: WalletMovementType | undefined;
  /** Whether a world of play money shows its movements, which it does not by itself. */
  readonly withPlayMoney?: boolean;
}
interface DebtLineFilter extends LineFilter {
  readonly type?: DebtMovementType | undefined;
  readonly withPlayMoney?: boolean;
}

export type Books = ReturnType<typeof ledgerBooks> & ReturnType<typeof ledgerWallets>;

/**
 * Head and lines come from one statement, so the balance always belongs to the lines beside it. `areTimesAscending`: no clock ever goes
 * back, so lines of a time are found by halving.
 */
export function ledgerBooks(db: Queryable, walks: Walks, { areTimesAscending = true } = {}) {
  /** The page of a book as a statement, to be joined to its wallet. */
  async function pageOf(
    partnerId: number,
    book: Book,
    page: Page,
    { withPlayMoney: _, ...filter }: WalletLineFilter | DebtLineFilter,
  ): Promise<{ lines: Sql; reached: number | undefined; isWhole: boolean }> {
    if (isAnyLine(filter)) return { lines: numberedPage(partnerId, book, page), reached: undefined, isWhole: true };
    const range = await rangeOf(db, partnerId, book, filter, areTimesAscending);
    const numbersAfter = await lineNumbers(db, partnerId, book, filter, range);
    const wanted = filter.beforeId === undefined ? page : { ...page, start: 1 };
    const place = await walks.to<bigint>(
      partnerId,
      wanted,
      async (after, rows) =>
        (await db.maybe<{ line: bigint }>(sql`${numbersAfter(after)} limit 1 offset ${rows - 1}`))?.line,
    );
    return { lines: pageAt(partnerId, book, numbersAfter, place), reached: place.reached, isWhole: false };
  }

  return {
    async history(partnerId: number, page: Page, filter: WalletLineFilter = {}): Promise<History> {
      const { lines, reached, isWhole } = await pageOf(partnerId, 'wallet', page, filter);
      const rows = await db.query<Balances & Archived & MaybeLine<WalletMovementType>>(sql`
        select wallets.cash, wallets.promo, wallets.outstanding, ${archivedUntil('wallet')}, ${listed('wallet')}, ${lineColumns}
        from wallets left join lateral (${lines}) line on true ${ordersOfLines}
        where wallets.partner_id = ${partnerId}
        order by line.line desc`);
      const [head] = rows;
      if (!head) throw new Error(`partner ${partnerId} has no wallet`);
      const total = isWhole ? head.listed : undefined;
      return { balances: head, archivedUntil: head.archivedUntil, ...linesIn(rows, page), total, reached };
    },

    /** Undefined: no billing account was ever opened. */
    async statement(partnerId: number, page: Page, filter: DebtLineFilter = {}): Promise<Statement | undefined> {
      const { lines, reached, isWhole } = await pageOf(partnerId, 'debt', page, filter);
      const rows = await db.query<Omit<Statement, keyof Lines<unknown>> & Archived & MaybeLine<DebtMovementType>>(sql`
        select wallets.billing_mode as "billingMode", wallets.outstanding, wallets.status,
          case wallets.billing_mode when 'postpaid' then wallets.credit_limit else 0 end as "creditLimit",
          partners.revenue_share_pct is not null as "profitShareEnabled", ${archivedUntil('debt')}, ${listed('debt')}, ${lineColumns}
        from wallets join partners on partners.id = wallets.partner_id
        left join lateral (${lines}) line on true ${ordersOfLines}
        where wallets.partner_id = ${partnerId} and wallets.opened_at is not null
        order by line.line desc`);
      const [head] = rows;
      const total = isWhole ? head?.listed : undefined;
      return head && { ...head, ...linesIn(rows, page), total, reached };
    },
  };
}

const lineColumns = sql`line.id as "lineId", line.type, line.amount, line.balance_after as "balanceAfter",
  line.order_id as "orderId", line.note, line.at, coalesce(of_line.reference, '') as reference,
  coalesce(of_line.product_title, '') as "productTitle"`;
const ordersOfLines = sql`left join orders of_line on of_line.id = line.order_id`;

interface Archived {
  readonly archivedUntil: Date | null;
  readonly listed: number;
}

const archivedUntil = (book: Book): Sql => sql`
  (select until from archived_books where archived_books.partner_id = wallets.partner_id and book = ${book}) as "archivedUntil"`;

/** Lines are numbered without a gap, so the number of the last one counts them. */
const listed = (book: Book): Sql => sql`
  (wallets.${raw(`${book}_lines`)} - ${archivedTo(sql`wallets.partner_id`, sql`${raw(`'${book}'`)}`)})::float8 as listed`;

const before = ({ limit, start }: Page): number => (start - 1) * limit;
/** One line more says whether more follow. */
const withNext = (limit: number): number => (limit === 0 ? 0 : limit + 1);

const ofBook = (partnerId: number, book: Book) => sql`
  select id, line, type, amount, balance_after, order_id, note, at from movements
  where partner_id = ${partnerId} and book = ${book}`;

/** Lines are numbered without a gap, so any page is found by its number, counted back from the last. */
const numberedPage = (partnerId: number, book: Book, page: Page) => sql`
  ${ofBook(partnerId, book)} and line <= wallets.${raw(`${book}_lines`)} - ${before(page)}::bigint
  and line > ${archivedTo(sql`wallets.partner_id`, sql`${raw(`'${book}'`)}`)} order by line desc limit ${withNext(page.limit)}`;

/** Filtered lines are not numbered, so the lines before the page are skipped one by one. */
const pageAt = (partnerId: number, book: Book, way: (after: bigint | undefined) => Sql, place: Place<bigint>) => sql`
  ${ofBook(partnerId, book)} and line = any(array(${way(place.after)} limit ${withNext(place.limit)} offset ${place.offset}))`;

type MaybeLine<Type> = Omit<BookedLine<Type>, 'id'> & { readonly lineId: bigint | null };

/** A left join without lines still has its head row, with an empty line beside it. */
function linesIn<Type>(rows: readonly MaybeLine<Type>[], { limit }: Page): Pick<Lines<Type>, 'lines' | 'hasMore'> {
  const found = rows.flatMap(({ lineId, ...line }) => (lineId === null ? [] : [{ ...line, id: lineId }]));
  return { lines: found.slice(0, limit), hasMore: found.length > limit };
}

/** What decides whether the next purchase goes through. */
export type SpendingPower = Awaited<ReturnType<typeof readSpendingPower>>;

export const ledgerWallets = (db: Queryable) => bound(db, { balance: readBalance, spendingPower: readSpendingPower });

type Row = Parameters<Funds['available']>[0] &
  Pick<Wallet, 'billingMode' | 'suspended' | 'balanceAlert'> & { readonly isOnlyOverdue: boolean };

/** Reads without locking: by the time of a purchase it may have changed. */
async function readSpendingPower(db: Queryable, partnerId: number) {
  const wallet = await db.one<Row>(sql`
    select billing_mode as "billingMode", credit_limit as "creditLimit", status = 2 or is_overdue as suspended,
      is_overdue and status <> 2 as "isOnlyOverdue", cash, promo, outstanding,
      balance_alert as "balanceAlert"
    from wallets where partner_id = ${partnerId}`);
  const funds = fundsOf(wallet);
  return {
    billingMode: wallet.billingMode,
    isSuspended: wallet.suspended,
    /** It is suspended because invoices are overdue, and for nothing else: payment ends it. */
    isOnlyOverdue: wallet.isOnlyOverdue,
    /** What can be spent now; on credit terms the free credit. */
    available: funds.available(wallet),
    /** The partner is notified when less than this can be spent; null: never. */
    alertLevel: wallet.balanceAlert,
    /** Why a price does not fit; undefined: it does. */
    shortfallOf(price: Cents): Shortfall | undefined {
      const charge = funds.charge(wallet, price);
      return 'code' in charge ? charge : undefined;
    },
  };
}
