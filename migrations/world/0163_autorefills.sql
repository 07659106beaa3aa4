-- A row is the rule by which an eSIM refills itself: which plan is added once so much of its data is used. It stays when the rule ends,
-- because its numbers count on: order `n` has the idempotency key `autorefill:{iccid}:{n}`.
create table autorefills (
  partner_id integer not null,
  iccid text not null,
  -- The order that brought the eSIM. The row goes with it, when a sandbox is reset.
  order_id bigint not null unique references orders (id) on delete cascade,
  -- The key that set the rule: its limits bind what the rule buys. Null: a member of the panel set it.
  key_id integer,
  product_id text not null,
  at_percent smallint not null check (at_percent between 50 and 100),
  times smallint not null check (times between 1 and 20),
  -- How many of its refills were delivered.
  done smallint not null default 0,
  max_price bigint not null check (max_price > 0),
  -- Why it buys no more; null: it is at work.
  stopped text check (stopped in ('price', 'money', 'limit', 'product', 'done')),
  -- When its partner ended it; null: it is in place.
  ended_at timestamptz,
  -- Counts the rules of this eSIM. What was decided about one rule is not carried out on the next.
  version integer not null default 1,
  -- The number of the next order.
  n integer not null default 1,
  -- The data the eSIM had in all, in MB, when its usage last reached the mark. Reached again only with more data, or after a reading
  -- below the mark. Null: a reading at the mark is a crossing.
  crossed_mb integer,
  -- When the refill of that crossing is bought, or looked at again; null: there is none to buy.
  due_at timestamptz,
  set_at timestamptz not null,
  primary key (partner_id, iccid)
);
create index autorefills_due on autorefills (due_at) where due_at is not null;
