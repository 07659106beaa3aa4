-- Daily sums for charts, and monthly ones for the trial balance. `partner_sales_by_day` has a row for each partner, day, supplier and destination, `sales_by_day` the sum over
-- all partners. A job counts a partner's day again from its orders whenever one of them changed. To have all of it counted again,
-- delete the row of `sales_by_day_progress`.
create table partner_sales_by_day (
  partner_id int not null,
  day date not null,
  supplier text not null,
  destination text not null,
  orders int not null,
  refused int not null,
  delivered int not null,
  failed int not null,
  charged bigint not null,
  returned bigint not null,
  costed int not null,
  costed_charged bigint not null,
  costed_returned bigint not null,
  cost_micros bigint not null,
  took_ms bigint not null,
  took_1s int not null,
  took_5s int not null,
  took_30s int not null,
  took_2m int not null,
  took_10m int not null,
  took_1h int not null,
  took_longer int not null,
  primary key (partner_id, day, supplier, destination)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- For the list of partners with the most orders.
create index partner_sales_of_day on partner_sales_by_day (day, partner_id) include (supplier, destination, orders);

-- What partners bought of each plan, for their revenue at retail prices.
create table partner_plans_by_day (
  partner_id int not null,
  day date not null,
  plan text not null,
  destination text not null,
  orders int not null,
  charged bigint not null,
  returned bigint not null,
  primary key (partner_id, day, plan, destination)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

create table sales_by_day (
  day date not null,
  supplier text not null,
  destination text not null,
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
  primary key (day, supplier, destination)
);

-- Days to count again. A change adds a row and never waits for another one. Every purchase adds two, so there is no key and no index.
create table order_days_changed (
  partner_id int not null,
  day date not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

create table sales_by_day_progress (
  only_row boolean primary key default true check (only_row),
  -- Orders up to this id are counted; those of before this migration have no row in order_days_changed.
  filled_to bigint not null default 0,
  is_filled boolean not null default false,
  counted_until timestamptz
);

-- Debits and credits of every account of the ledger, of movements up to an id, by the month of the movement.
create table ledger_by_month (
  month date not null,
  account text not null,
  debits bigint not null,
  credits bigint not null,
  primary key (month, account)
);

create table ledger_by_month_progress (
  only_row boolean primary key default true check (only_row),
  movements_to bigint not null default 0
);

-- Triggers, so that servers of the previous version note their changes too. They run with every purchase, so they name their table in
-- full: setting a search path for each call would take longer than the row. Orders are placed and deleted many at a time, but mostly
-- changed one by one.
do $do$ begin
  execute format($make$
create function note_order_day() returns trigger language plpgsql as $$ begin
  insert into %1$I.order_days_changed (partner_id, day) values (new.partner_id, (new.created_at at time zone 'UTC')::date);
  return null;
end $$;

create function note_order_days_placed() returns trigger language plpgsql as $$ begin
  insert into %1$I.order_days_changed (partner_id, day)
  select distinct partner_id, (created_at at time zone 'UTC')::date from placed;
  return null;
end $$;
$make$, current_schema());
end $do$;

create function note_order_days_deleted() returns trigger language plpgsql security definer set search_path from current as $$ begin
  insert into order_days_changed (partner_id, day)
  select distinct partner_id, (created_at at time zone 'UTC')::date from deleted;
  return null;
end $$;

create trigger orders_placed after insert on orders referencing new table as placed for each statement
execute function note_order_days_placed();

create trigger orders_counted_otherwise after update on orders for each row
when (old.status is distinct from new.status
  or old.supplier is distinct from new.supplier
  or old.cost_micros is distinct from new.cost_micros
  or old.charged_micros is distinct from new.charged_micros
  or old.refunded is distinct from new.refunded
  or old.paid_at is distinct from new.paid_at
  or old.delivered_at is distinct from new.delivered_at)
execute function note_order_day();

create trigger orders_deleted after delete on orders referencing old table as deleted for each statement
execute function note_order_days_deleted();
