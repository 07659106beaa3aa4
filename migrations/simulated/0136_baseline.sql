-- The simulated supplier stands in for a system outside ours: a schema of its own, which only its service and the operator's
-- commands for it touch.
--
-- A new database runs this file, then the later ones. A database of the previous release has this schema already. The file is never
-- edited: a change is a new file.

-- A row is how it treats orders of a plan; no row: it delivers. Operators write it.
create table behaviours (
  plan text primary key,
  behaviour text not null check (behaviour in ('deliver', 'delay', 'refuse', 'timeout', 'duplicate', 'break'))
);

-- A row is an order it was given. Its service writes it.
create table orders (
  id bigint generated always as identity primary key,
  -- The customer's reference; ordering it again gives the same order.
  reference text not null unique,
  plan text not null,
  -- How often it was ordered under this reference.
  calls integer not null default 1,
  refused boolean not null,
  ready_at timestamptz not null,
  matching_id text not null,
  day integer not null,
  total_mb integer not null,
  used_mb integer not null default 0,
  activated_at timestamptz,
  expires_at timestamptz,
  -- A refill is an order for an eSIM that exists: its data and days are added when it is ready. The ICCID as the customer sent it;
  -- null: the order is for a new eSIM.
  refill_of text,
  -- The eSIM's own figures include this refill. Until then they are added whenever the eSIM is read.
  is_counted boolean not null default false,
  -- When the customer gave the eSIM back.
  withdrawn_at timestamptz
);

-- The refills of an eSIM.
create index orders_refills on orders (refill_of) where refill_of is not null;
