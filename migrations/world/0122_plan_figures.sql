-- What each partner bought of each plan on each day, for what it brings at retail prices. Counted like order_figures, with progress
-- of its own: the first count begins with the first order.
create table plan_figures (
  partner_id integer not null,
  day date not null,
  -- A plan's id, and the destination it was sold for.
  plan text not null,
  destination text not null,
  orders integer not null default 0,
  charged bigint not null default 0,
  returned bigint not null default 0,
  primary key (partner_id, day, plan, destination)
);

create table plan_progress (
  only_row boolean primary key default true check (only_row),
  orders_to bigint not null default 0,
  movements_to bigint not null default 0,
  mark_orders bigint,
  mark_movements bigint,
  mark_writers text[],
  mark_at timestamptz,
  counted_until timestamptz
);
