-- The latest API calls of each account, for its developers to look up. Kept for 7 days, and some 10,000 per account: a job removes the
-- rest (request-log/prune.ts). An insert pays for one index; every filter reads a part of one account's rows, which are few.
create table request_log (
  id bigint generated always as identity,
  partner_id integer not null,
  -- When the call arrived, in real time, whatever a test clock says.
  at timestamptz not null,
  request_id uuid not null,
  key_id integer not null,
  method text not null,
  endpoint text not null,
  status smallint not null,
  -- The code of a refusal; empty: none.
  error text not null,
  -- The refusal was asked for.
  is_simulated boolean not null,
  duration_ms integer not null,
  address text not null,
  -- The order the call was about, as far as its answer or its fields name one.
  order_id bigint,
  -- What was sent, without secrets: [{"in": "body", "name": …, "value": …}]; null: nothing.
  fields json,
  primary key (partner_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05);

-- The call that placed the order. Null: it was placed before this was recorded. Without an index, so that purchases do not pay for one.
alter table orders add column request_id uuid;
