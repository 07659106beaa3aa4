-- What the operator reads of all sales in sum, by day, partner, supplier and destination, and what each ledger account came to by
-- month. The figures job counts both (src/insight/sales.ts), with a progress of its own: the partners' figures are complete on
-- every installation, and a process of the version before this one may still be counting them while these begin from nothing.

create table sale_figures (
  -- The day in UTC on which the orders were placed. What happened to them later counts there, too.
  day date not null,
  partner_id integer not null,
  supplier text not null,
  -- A country's code or a region's slug.
  destination text not null,
  -- Orders that were charged, and purchases that were refused without a charge.
  orders integer not null default 0,
  refused integer not null default 0,
  delivered integer not null default 0,
  failed integer not null default 0,
  -- Cents: charged for the orders, and given back of that.
  charged bigint not null default 0,
  returned bigint not null default 0,
  -- The same for orders whose cost is known, and their cost in millionths of a dollar: what the supplier charged where it says so,
  -- else the cost at the time of the sale. A failed order costs nothing.
  costed integer not null default 0,
  costed_charged bigint not null default 0,
  costed_returned bigint not null default 0,
  cost_micros bigint not null default 0,
  -- From payment to delivery: milliseconds of all delivered orders, and how many took up to a second, up to five, and so on.
  took_ms bigint not null default 0,
  took_1s integer not null default 0,
  took_5s integer not null default 0,
  took_30s integer not null default 0,
  took_2m integer not null default 0,
  took_10m integer not null default 0,
  took_1h integer not null default 0,
  took_longer integer not null default 0,
  primary key (day, partner_id, supplier, destination)
);

create table ledger_figures (
  -- The first day of the month in UTC in which the movements were made.
  month date not null,
  account text not null,
  -- Cents.
  debits bigint not null default 0,
  credits bigint not null default 0,
  primary key (month, account)
);

-- As orders_counted_open and figure_progress, for these figures.
create table sales_counted_open (
  order_id bigint primary key,
  partner_id integer not null
);

create table sale_progress (
  only_row boolean primary key default true check (only_row),
  orders_to bigint not null default 0,
  movements_to bigint not null default 0,
  mark_orders bigint,
  mark_movements bigint,
  mark_writers text[],
  mark_at timestamptz,
  counted_until timestamptz
);
