-- What people asked for under a key of their own, so that asking again changes nothing and is answered as the first time.
-- Step 0 is the action itself, with its answer once it has one. Each transaction it makes adds a step, in that same transaction.
create table action_keys (
  id bigint generated always as identity primary key,
  -- Whose key it is: `member:7`, `operator:3`, or `command line`.
  scope text not null,
  key text not null,
  step integer not null,
  action text not null,
  -- Those about money are kept for good.
  is_money boolean not null,
  created_at timestamptz not null,
  -- While it runs: until when it is its process's. Past that, the process has died and a repeat goes on with it.
  claimed_until timestamptz,
  -- What was asked for and what came of it; answers can hold a secret that is shown once.
  sealed bytea,
  unique (scope, key, step)
);
create index action_keys_passing on action_keys (created_at) where not is_money;
