import type { Cents, Micros } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { tookClasses } from './contributions.ts';
import { queryOfRows, queryOfSums, type SalesFilter } from './sales-query.ts';
import { filled, type Span } from './span.ts';

/** Sums over sales of all partners. */
export interface SaleSums {
  readonly orders: number;
  readonly refused: number;
  readonly delivered: number;
  readonly failed: number;
  readonly tookMs: number;
  readonly charged: Cents;
  readonly returned: Cents;
  /** Orders whose cost is known, with what was charged for them and given back of it: margins are of these alone. */
  readonly costed: number;
  readonly costedCharged: Cents;
  readonly costedReturned: Cents;
  readonly cost: Micros;
}

export interface SalesBy extends SaleSums {
  /** A partner's id, a supplier's slug, or a destination's code. */
  readonly key: string;
  readonly title: string;
}

export interface Sales {
  readonly points: readonly (SaleSums & { readonly at: Date })[];
  readonly total: SaleSums;
  readonly took: readonly { readonly upToSeconds: number | null; readonly orders: number }[];
  /** Those with the most orders, `MOST_PARTNERS` at most. */
  readonly partners: readonly SalesBy[];
  readonly partnersInAll: number;
  readonly suppliers: readonly SalesBy[];
  readonly destinations: readonly SalesBy[];
}

type Row = SaleSums & {
  readonly kind: 'total' | 'point' | 'partner' | 'supplier' | 'destination';
  readonly at: Date | null;
  readonly key: string | null;
  readonly title: string | null;
  /** How many partners there are in all, where not all are given. */
  readonly partners: number | null;
  readonly took: readonly number[] | null;
};

/** Added up in every way that is shown. A partner's own rows are few. */
export async function readSales(db: Queryable, span: Span, filter: SalesFilter = {}): Promise<Sales> {
  const query = filter.partnerId === undefined ? queryOfSums : queryOfRows;
  const rows = await db.query<Row>(query(span, filter));
  const of = (kind: Row['kind']) => rows.filter((row) => row.kind === kind);
  const by = (kind: Row['kind']): SalesBy[] =>
    of(kind)
      .map((row) => ({ ...sumsOf(row), key: row.key ?? '', title: row.title ?? row.key ?? '' }))
      .sort((a, b) => b.orders - a.orders || (a.key < b.key ? -1 : 1));
  const [total] = of('total');
  const partners = by('partner');
  return {
    points: filled(
      span,
      of('point').flatMap((row) => (row.at ? [{ ...sumsOf(row), at: row.at }] : [])),
      (at) => ({ ...none, at }),
    ),
    total: total ? sumsOf(total) : none,
    took: tookClasses.map(({ upToSeconds }, i) => ({ upToSeconds, orders: total?.took?.[i] ?? 0 })),
    partners,
    partnersInAll: of('partner')[0]?.partners ?? partners.length,
    suppliers: by('supplier'),
    destinations: by('destination'),
  };
}

const sumsOf = ({ kind: _, at: __, key: ___, title: ____, partners: _____, took: ______, ...sums }: Row): SaleSums =>
  sums;
const noCents = 0n as Cents;
const none: SaleSums = {
  ...{ orders: 0, refused: 0, delivered: 0, failed: 0, tookMs: 0, charged: noCents, returned: noCents },
  ...{ costed: 0, costedCharged: noCents, costedReturned: noCents, cost: 0n as Micros },
};

/** Until when all sales are counted, in real time; null: the first count is not finished. */
export async function readSalesCountedUntil(db: Queryable): Promise<Date | null> {
  const row = await db.maybe<{ until: Date | null }>(sql`select counted_until as until from sale_progress`);
  return row?.until ?? null;
}
