import { nothing, raw, type Sql, sql } from '../../../platform/db/query/sql.ts';

/** What one order adds to the figures: a row of facts that `adding` sums up. Facts that are not named are zero. */
export interface Facts {
  readonly orders?: Sql;
  readonly refused?: Sql;
  readonly delivered?: Sql;
  readonly failed?: Sql;
  readonly charged?: Sql;
  readonly returned?: Sql;
  /** Millionths of a dollar, of orders whose cost is known. */
  readonly cost?: Sql;
  /** From payment to delivery; null: not delivered. */
  readonly tookMs?: Sql;
}

/** One set of figures: its tables, and what is added to them. */
export interface FigureSet {
  /** One row that says how far the counting has come. */
  readonly progress: Sql;
  /** Orders that were counted while undelivered. Without it, their outcomes are not counted. */
  readonly open?: Sql;
  /**
   * Adds the rows of the named query to the figures, as parts of one statement: `with facts as (…), ${adding('facts')} select …`.
   */
  adding(facts: string): Sql;
  /** The same for the movements in the query `passed`, where more is counted of them than what they gave back. */
  readonly addingPassed: Sql;
}

/** The upper ends of the classes of delivery times, with the column that counts each. */
export const tookClasses = [
  { column: 'took_1s', upToSeconds: 1 },
  { column: 'took_5s', upToSeconds: 5 },
  { column: 'took_30s', upToSeconds: 30 },
  { column: 'took_2m', upToSeconds: 120 },
  { column: 'took_10m', upToSeconds: 600 },
  { column: 'took_1h', upToSeconds: 3_600 },
  { column: 'took_longer', upToSeconds: null },
] as const;

/** The select list of facts about the order `o`. */
export const factsOf = (facts: Facts): Sql => sql`
  o.partner_id, date_trunc('hour', o.created_at, 'UTC') as hour, (o.created_at at time zone 'UTC')::date as day,
  o.country_code as destination, o.product_id as plan, o.supplier, o.cost_micros > 0 as is_costed, ${facts.cost ?? zero} as cost, ${facts.orders ?? zero} as orders, ${facts.refused ?? zero} as refused,
  ${facts.delivered ?? zero} as delivered, ${facts.failed ?? zero} as failed, ${facts.charged ?? zero} as charged,
  ${facts.returned ?? zero} as returned, ${facts.tookMs ?? sql`null::bigint`} as took_ms`;

const zero = sql`0`;

/** How an order ended. One that was refused was never charged. */
export const itsEnd: Facts = {
  delivered: sql`(o.status = 1)::int`,
  failed: sql`(o.status = 2 and o.paid_at is not null)::int`,
  // A test clock that was reset in between makes the delivery the earlier of the two.
  tookMs: sql`case when o.status = 1 then greatest(0, extract(epoch from o.delivered_at - o.paid_at) * 1000)::bigint end`,
};

const inClass = (lower: number, upper: number | null): string =>
  `count(*) filter (where took_ms > ${lower * 1000}${upper === null ? '' : ` and took_ms <= ${upper * 1000}`})`;

const amounts = ['orders', 'refused', 'delivered', 'failed', 'charged', 'returned'];
const hourSums = new Map<string, string>([
  ...amounts.map((name) => [name, `sum(${name})`] as const),
  ['took_ms', 'coalesce(sum(took_ms), 0)'],
  ...tookClasses.map(
    ({ column, upToSeconds }, i) => [column, inClass(tookClasses[i - 1]?.upToSeconds ?? -1, upToSeconds)] as const,
  ),
]);
const daySums = new Map(amounts.filter((name) => name !== 'refused').map((name) => [name, `sum(${name})`]));
const planSums = new Map(['orders', 'charged', 'returned'].map((name) => [name, `sum(${name})`]));
const costed = (name: string) => `coalesce(sum(${name}) filter (where is_costed), 0)`;
const saleSums = new Map<string, string>([
  ...hourSums,
  ['costed', costed('orders')],
  ['costed_charged', costed('charged')],
  ['costed_returned', costed('returned')],
  ['cost_micros', costed('cost')],
]);
/** The columns of `sale_figures` that are added up. */
export const saleColumns: readonly string[] = [...saleSums.keys()];

/** What partners read of their own sales. */
export const partnerFigures: FigureSet = {
  progress: sql`figure_progress`,
  open: sql`orders_counted_open`,
  adding: (facts) => sql`
    hours as (${upsert('order_figures', ['partner_id', 'hour'], hourSums, facts, 'true')}),
    days as (${upsert('destination_figures', ['partner_id', 'day', 'destination'], daySums, facts, 'refused = 0')})`,
  addingPassed: nothing,
};

/** What partners bought of each plan, for their revenue at retail prices. */
export const planFigures: FigureSet = {
  progress: sql`plan_progress`,
  adding: (facts) => sql`
    plans as (${upsert('plan_figures', ['partner_id', 'day', 'plan', 'destination'], planSums, facts, 'refused = 0')})`,
  addingPassed: nothing,
};

/** What the operator reads of all sales, and of the ledger's accounts. */
export const saleFigures: FigureSet = {
  progress: sql`sale_progress`,
  open: sql`sales_counted_open`,
  adding: (facts) => sql`
    sales as (${upsert('sale_figures', ['day', 'partner_id', 'supplier', 'destination'], saleSums, facts, 'true')}),
    changed as (insert into sale_days_changed select distinct day from ${raw(facts)} on conflict do nothing)`,
  addingPassed: sql`
    booked as (
      insert into ledger_figures as kept (month, account, debits, credits)
      select date_trunc('month', passed.at at time zone 'UTC')::date, side.account, sum(side.debits), sum(side.credits)
      from passed join transfers on transfers.movement_id = passed.id
      cross join lateral (
        values (transfers.debit, transfers.amount, 0), (transfers.credit, 0, transfers.amount)
      ) as side (account, debits, credits)
      group by 1, 2
      on conflict (month, account) do update
        set debits = kept.debits + excluded.debits, credits = kept.credits + excluded.credits
    ),`,
};

function upsert(
  table: string,
  key: readonly string[],
  sums: ReadonlyMap<string, string>,
  facts: string,
  where: string,
): Sql {
  const names = [...sums.keys()];
  return raw(`
    insert into ${table} as kept (${[...key, ...names].join(', ')})
    select ${[...key, ...sums.values()].join(', ')} from ${facts} where ${where} group by ${key.join(', ')}
    on conflict (${key.join(', ')}) do update set ${names.map((name) => `${name} = kept.${name} + excluded.${name}`).join(', ')}`);
}
