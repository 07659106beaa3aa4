-- Imports of plans, newest last: who made each, and what it changed or why it failed.
create table catalog_imports (
  id bigint generated always as identity primary key,
  -- Its slug. A supplier whose first import failed has no row of its own yet.
  supplier text not null,
  who text not null,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  -- Null: nothing was imported.
  counts jsonb,
  error text,
  check ((counts is null) <> (error is null))
);

create index catalog_imports_of_supplier on catalog_imports (supplier, id desc);

-- When the worker may next import a supplier's list by itself. A claim moves `not_before` to the end of its lease, so several
-- workers import a list once, and a list whose worker died is imported by another.
create table catalog_syncs (
  supplier text primary key,
  not_before timestamptz not null,
  succeeded_at timestamptz,
  -- In a row.
  failures integer not null default 0
);

-- What an operator has set by hand, which imports leave alone.
alter table plans
  add column price_by_hand boolean not null default false,
  add column cost_by_hand boolean not null default false,
  add column on_sale_by_hand boolean not null default false;

-- List prices of its plans are their cost and this much on top, except those set by hand. Null: as the supplier's list has them.
alter table suppliers add column markup_pct numeric(6, 2) check (markup_pct between 0 and 1000);

-- What is left of our balance at the supplier, in micros, and when it said so. `balance_asked_at`: when a worker last asked.
alter table suppliers
  add column balance_micros bigint,
  add column balance_at timestamptz,
  add column balance_asked_at timestamptz;
