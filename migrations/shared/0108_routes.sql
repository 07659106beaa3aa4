-- Which other plans may be delivered in place of one that was sold, and suppliers that are off.

-- A row is a route: the plans that may be delivered in place of a plan, in the order in which they are asked. Operators write it.
create table routes (
  plan_id integer primary key references plans (id),
  alternates integer[] not null check (cardinality(alternates) between 1 and 20),
  -- An alternate costs at most this, in micros, or leaves at least this part of the price paid. Both null: it costs at most the price paid.
  max_cost bigint check (max_cost >= 0),
  min_margin_pct numeric(5, 2) check (min_margin_pct between 0 and 100),
  -- Who is asked first: the plan's own supplier, or the cheapest.
  prefer text not null default 'own' check (prefer in ('own', 'cheapest')),
  check (max_cost is null or min_margin_pct is null)
);

-- A row says whether the plans of a supplier that have no route of their own take suggestions. Null: those of every supplier that has
-- no row. Operators write it.
create table auto_routes (
  supplier_id integer references suppliers (id),
  is_on boolean not null,
  prefer text not null default 'own' check (prefer in ('own', 'cheapest')),
  unique nulls not distinct (supplier_id)
);

-- Since when a supplier is off: nothing of it is sold.
alter table suppliers add column off_since timestamptz;
-- It is off sale because its supplier is off, and goes on sale again with it.
alter table plans add column is_held_back boolean not null default false;

-- As before, with the new column among those that no Product row depends on.
create or replace function log_changed_plans() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  hidden constant text[] :=
    '{supplier_plan,voice,text,short_info,price_by_hand,cost_by_hand,on_sale_by_hand,is_held_back}';
  terms constant text[] := '{on_sale,list_price,cost}';
begin
  if not exists (select from was) then
    return null;
  end if;
  with both_rows as materialized (
    select was, to_jsonb(was) - hidden as before, to_jsonb(became) - hidden as after
    from was join became on became.id = was.id
  ), changed as materialized (
    select (was).id, (was).on_sale, (was).list_price, (was).cost,
      case when before - terms is distinct from after - terms then to_jsonb(was) end as before
    from both_rows where before is distinct from after
  ), made as materialized (
    select shared.next_catalog_state() as state where exists (select from changed)
  )
  insert into shared.plan_changes (plan_id, state, on_sale, list_price, cost, before)
  select changed.id, made.state, changed.on_sale, changed.list_price, changed.cost, changed.before from changed, made
  -- Changed twice in one transaction: the first time has the plan as it was.
  on conflict (plan_id, state) do update set before = coalesce(plan_changes.before, excluded.before);
  return null;
end $$;

-- Every process keeps the routes in memory, and what suppliers still have of our money.
create function notify_routes() returns trigger language plpgsql as $$
begin
  perform pg_notify('wayfare_routes', '');
  return null;
end $$;

create trigger routes_changed after insert or update or delete on routes
  for each statement execute function notify_routes();
create trigger auto_routes_changed after insert or update or delete on auto_routes
  for each statement execute function notify_routes();
create trigger suppliers_balance_read after update of balance_micros on suppliers
  for each statement execute function notify_routes();
