-- Orders that another supplier was asked for than the first.

-- A row is a supplier that came into play for an order: it was asked, or it was passed over. Written only once a second one comes into
-- play, so that every other order costs nothing. The first row is the supplier of the plan that was sold. While an order is open and not at
-- its first reference, `orders.supplier` is the supplier's slug, `#` and the number of the reference. A server that does not know such
-- numbers finds no supplier of that name and leaves the order alone, instead of ordering under a reference that was not used there.
create table order_attempts (
  order_id bigint not null,
  position smallint not null,
  -- Of the reference under which it was asked; null: it was not asked.
  number smallint,
  supplier text not null,
  supplier_plan text not null,
  cost_micros bigint not null,
  -- What its plan has, which may be more than what was sold.
  amount_mb integer not null,
  day integer not null,
  outcome text not null check (outcome in ('passed_over', 'asked', 'refused', 'unavailable', 'unknown', 'pending')),
  reason text not null default '',
  at timestamptz not null,
  primary key (order_id, position),
  unique (order_id, supplier, supplier_plan)
);

-- What suppliers lost to others lately.
create index order_attempts_by_time on order_attempts (at) where position = 1;

-- The supplier and the cost that an open order was counted with: by its end it may have another one. Null: those it has now.
alter table orders_counted_open add column supplier text, add column cost_micros bigint;
alter table sales_counted_open add column supplier text, add column cost_micros bigint;
