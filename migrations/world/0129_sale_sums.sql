-- Sums over sale_figures, so that the operator's figures of a year do not add up a row for every partner and day. The job that counts
-- makes them, a day at a time (src/insight/sums.ts).

-- A row is a day on which something was counted since its sums were made. They may be wrong until they are made again.
create table sale_days_changed (
  day date primary key
);

-- A row is what all partners together sold in a day; an empty supplier or destination: all of them.
create table sale_day_sums (
  day date not null,
  supplier text not null,
  destination text not null,
  -- As in sale_figures.
  orders bigint not null,
  refused bigint not null,
  delivered bigint not null,
  failed bigint not null,
  charged bigint not null,
  returned bigint not null,
  costed bigint not null,
  costed_charged bigint not null,
  costed_returned bigint not null,
  cost_micros bigint not null,
  took_ms bigint not null,
  took_1s bigint not null,
  took_5s bigint not null,
  took_30s bigint not null,
  took_2m bigint not null,
  took_10m bigint not null,
  took_1h bigint not null,
  took_longer bigint not null,
  primary key (day, destination, supplier)
);

-- A row is all that a partner had sold of a supplier before a Monday; an empty supplier: of all of them. What they sold in between is
-- the difference of two Mondays.
create table sale_running_sums (
  monday date not null,
  partner_id integer not null,
  supplier text not null,
  -- Rows of sale_figures.
  counted bigint not null,
  -- As in sale_figures.
  orders bigint not null,
  refused bigint not null,
  delivered bigint not null,
  failed bigint not null,
  charged bigint not null,
  returned bigint not null,
  costed bigint not null,
  costed_charged bigint not null,
  costed_returned bigint not null,
  cost_micros bigint not null,
  took_ms bigint not null,
  primary key (monday, supplier, partner_id)
);

-- The last Monday that has running sums; null: none has.
alter table sale_progress add column running_to date;

-- Of a destination, partners are ranked by an index alone. That needs pages that vacuum has seen; by default it comes once a fifth is new.
alter table sale_figures set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- No day has sums yet. The days are looked up one after the other: there are few of them, and many rows of each.
insert into sale_days_changed
with recursive found as (
  (select day from sale_figures order by day limit 1)
  union all
  select later.day from found cross join lateral (
    select day from sale_figures where sale_figures.day > found.day order by day limit 1
  ) as later
)
select day from found;
