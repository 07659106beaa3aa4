-- The simulated supplier stands in for a system outside ours: a schema of its own, which only its service and the operator's
-- commands for it touch.

-- How it treats orders of a plan; no row: it delivers.
create table behaviours (
  plan text primary key,
  behaviour text not null check (behaviour in ('deliver', 'delay', 'refuse', 'timeout', 'duplicate', 'break'))
);

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
  expires_at timestamptz
);
