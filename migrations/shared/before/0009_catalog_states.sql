-- States of the catalog, and what was different before each: `catalog/changes` tells a partner what changed since the state it has.
-- Triggers write it, so no way to change the catalog can leave it out. What a Product row shows of plans and destinations is in
-- here; what sets its prices is in `price_contracts`.

create table catalog_states (
  -- In the order in which states became visible (`next_catalog_state`).
  id bigint generated always as identity primary key,
  -- After a restore from a backup numbers are given out a second time; with the token, only the state that was meant is found.
  token text not null default left(replace(gen_random_uuid()::text, '-', ''), 8),
  at timestamptz not null default now()
);

-- The catalog as it is now.
insert into catalog_states default values;

-- Plans as they were before a state.
create table plan_changes (
  plan_id integer not null,
  state bigint not null,
  -- A plan that did not exist was not on sale.
  on_sale boolean not null,
  list_price bigint not null,
  cost bigint,
  -- The whole row; null when nothing else that matters was different. Most changes are a new cost or price.
  before jsonb,
  primary key (plan_id, state)
);

create index plan_changes_by_state on plan_changes (state, plan_id);

-- Destinations as they were before a state; null: it did not exist.
create table destination_changes (
  state bigint not null,
  code text not null,
  before jsonb,
  primary key (state, code)
);

-- What set the prices of a partner when it was given a version: its rules and the general ones, its share and the cap.
create table price_contracts (
  partner_id integer not null references partners (id),
  -- A hash of all that follows.
  contract text not null,
  general_rules text not null,
  own_rules text not null,
  -- In hundredths of a percent.
  cap bigint not null,
  share bigint not null,
  source text not null check (source in ('account_default', 'none')),
  -- When a version last named it, to the day.
  seen_at timestamptz not null,
  primary key (partner_id, contract)
);

create index price_contracts_by_age on price_contracts (seen_at);

-- The state this transaction makes. Until it ends, no other transaction makes one (the lock is `PLANS_LOCK`): a state that is
-- visible has every earlier one behind it, so a reader of state 7 never misses a state 6 that was committed later.
create function next_catalog_state() returns bigint language plpgsql as $$
declare
  state bigint;
begin
  perform pg_advisory_xact_lock(7203913);
  select id into state from shared.catalog_states
    where id = (select max(id) from shared.catalog_states) and xmin = pg_current_xact_id()::xid;
  if state is null then
    insert into shared.catalog_states default values returning id into state;
  end if;
  return state;
end $$;

create function log_new_plans() returns trigger language plpgsql as $$
begin
  if exists (select from added) then
    insert into shared.plan_changes (plan_id, state, on_sale, list_price)
      select added.id, made.state, false, 0 from added, (select shared.next_catalog_state() as state offset 0) as made;
  end if;
  return null;
end $$;

-- Left out: what neither a Product row nor its price depends on. A column that is added later counts.
-- The plan of a function is made at its first call, often for no row at all: nested loops would be right then and ruinous later.
create function log_changed_plans() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  hidden constant text[] := '{supplier_plan,voice,text,short_info,price_by_hand,cost_by_hand,on_sale_by_hand}';
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

create function log_new_destinations() returns trigger language plpgsql as $$
begin
  if exists (select from added) then
    insert into shared.destination_changes (state, code)
      select made.state, added.code from added, (select shared.next_catalog_state() as state offset 0) as made
    on conflict do nothing;
  end if;
  return null;
end $$;

create function log_changed_destinations() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  with changed as materialized (
    select was.code, to_jsonb(was) as before from was join became on became.code = was.code
    where to_jsonb(was) is distinct from to_jsonb(became)
  ), made as materialized (
    select shared.next_catalog_state() as state where exists (select from changed)
  )
  insert into shared.destination_changes (state, code, before)
  select made.state, changed.code, changed.before from changed, made
  on conflict do nothing;
  return null;
end $$;

-- For what the program never does and a person with SQL might: earlier states can no longer be told from this one, so their
-- versions end.
create function forget_catalog_states() returns trigger language plpgsql as $$
declare
  latest constant bigint := shared.next_catalog_state();
begin
  delete from shared.catalog_states where id < latest;
  return null;
end $$;

create trigger plans_added after insert on plans referencing new table as added
  for each statement execute function log_new_plans();
create trigger plans_rewritten after update on plans referencing old table as was new table as became
  for each statement execute function log_changed_plans();
create trigger destinations_added after insert on destinations referencing new table as added
  for each statement execute function log_new_destinations();
create trigger destinations_rewritten after update on destinations referencing old table as was new table as became
  for each statement execute function log_changed_destinations();
create trigger plans_deleted after delete on plans for each statement execute function forget_catalog_states();
create trigger destinations_deleted after delete on destinations
  for each statement execute function forget_catalog_states();
create trigger operators_rewritten after update or delete on operators
  for each statement execute function forget_catalog_states();
create trigger suppliers_renamed after update of slug on suppliers
  for each statement execute function forget_catalog_states();
