-- What partners read of their sales in sum: by hour, and by day and destination. A job counts the orders into these tables
-- (src/insight/count.ts), so a purchase writes nothing here, and a chart over a year reads some thousand rows instead of a million.

create table order_figures (
  partner_id integer not null,
  -- The hour in which the orders were placed, by the account's clock. What happened to them later counts there, too.
  hour timestamptz not null,
  -- Orders that were charged, and purchases that were refused without a charge.
  orders integer not null default 0,
  refused integer not null default 0,
  -- What became of the orders. The others are on their way.
  delivered integer not null default 0,
  failed integer not null default 0,
  -- Cents: charged for the orders, and given back of that.
  charged bigint not null default 0,
  returned bigint not null default 0,
  -- From payment to delivery: milliseconds of all delivered orders, and how many took up to a second, up to five, and so on.
  took_ms bigint not null default 0,
  took_1s integer not null default 0,
  took_5s integer not null default 0,
  took_30s integer not null default 0,
  took_2m integer not null default 0,
  took_10m integer not null default 0,
  took_1h integer not null default 0,
  took_longer integer not null default 0,
  primary key (partner_id, hour)
);

create table destination_figures (
  partner_id integer not null,
  day date not null,
  -- A country's code or a region's slug.
  destination text not null,
  orders integer not null default 0,
  delivered integer not null default 0,
  failed integer not null default 0,
  charged bigint not null default 0,
  returned bigint not null default 0,
  primary key (partner_id, day, destination)
);

-- Orders that were counted while they were on their way, so that their end is still to be counted. Without a reference to the order:
-- checking it would wait for a reset of a sandbox, which waits for the counting.
create table orders_counted_open (
  order_id bigint primary key,
  partner_id integer not null
);

-- How far the counting has come: one row.
create table figure_progress (
  only_row boolean primary key default true check (only_row),
  -- Every order and every movement up to these ids is counted.
  orders_to bigint not null default 0,
  movements_to bigint not null default 0,
  -- How far to count next. Ids up to here may still be committed by the transactions in mark_writers, and by no others.
  mark_orders bigint,
  mark_movements bigint,
  mark_writers text[],
  mark_at timestamptz,
  -- Real time: all that was committed before is counted; null: the first count is not finished.
  counted_until timestamptz
);
