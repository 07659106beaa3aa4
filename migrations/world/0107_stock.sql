-- A row is an eSIM that was bought in advance, for suppliers of kind `stock`. An import adds it, an order takes it. None is ever deleted,
-- so that an ICCID cannot come in twice. Only live has any: a sandbox plays its deliveries.
create table stock_items (
  id bigint generated always as identity primary key,
  -- The supplier's slug and its code for the plan, as in `orders`.
  supplier text not null,
  plan text not null,
  iccid text collate "C" not null,
  -- 'returned': its order was refunded. Nobody can know whether it was installed, so it is not sold until an operator releases it.
  state text not null default 'available' check (state in ('available', 'sold', 'returned', 'discarded')),
  -- Activation data, encrypted.
  esim bytea not null,
  -- What it cost; null: what the plan says.
  cost_micros bigint check (cost_micros >= 0),
  -- Never sold from then on. Null: it does not expire.
  expires_at timestamptz,
  label text not null default '',
  -- Our name for the order that took it. It stays when the item is returned, so that the order cannot take a second one.
  reference text collate "C",
  imported_at timestamptz not null,
  -- When it came into its present state.
  changed_at timestamptz not null,
  check (state <> 'sold' or reference is not null),
  check (state <> 'available' or reference is null)
);

create unique index stock_items_iccid on stock_items (iccid);
-- One order takes one item, whoever asks how often.
create unique index stock_items_reference on stock_items (reference) where reference is not null;
-- What is sold next: the earliest expiry, those without one last, then the oldest import. And how many there are in each state.
create index stock_items_next on stock_items (supplier, plan, state, expires_at, id);

-- A row is a plan that was ever in stock. An import adds it; operators set its level.
create table stock_plans (
  supplier text not null,
  plan text not null,
  -- Low when this many are left, or fewer; null: nobody wants to know.
  low integer check (low >= 0),
  primary key (supplier, plan)
);
