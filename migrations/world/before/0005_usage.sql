-- The last usage reading of each eSIM. Kept for good: revenue share settles on it.
create table usage_readings (
  iccid text primary key,
  state text check (state in ('not_active', 'active', 'depleted', 'expired')),
  -- Null: the supplier did not say.
  total_mb integer,
  used_mb integer,
  activated_at timestamptz,
  expires_at timestamptz,
  -- Null: asked for, never answered.
  fetched_at timestamptz,
  -- Until then the reading is served without asking again.
  fresh_until timestamptz not null default '-infinity',
  -- Until then one process is asking the supplier and the others wait for its answer.
  asking_until timestamptz not null default '-infinity',
  check ((fetched_at is null) = (state is null) and (fetched_at is null) = (used_mb is null))
);
