-- Webhooks of one world: who wants to hear (subscriptions), the log a partner reads (deliveries) and what is still to be
-- sent (queue). Ids are odd in live and even in sandbox, so that one number names one thing to an operator.

create table webhook_subscriptions (
  id bigint generated always as identity (increment by 2) primary key,
  partner_id integer not null references shared.partners (id),
  url text not null check (length(url) between 1 and 500),
  events text[] not null check (cardinality(events) > 0),
  -- 1 active, 2 paused, 3 disabled after repeated failures.
  status smallint not null default 1 check (status in (1, 2, 3)),
  -- Failed attempts in a row.
  fail_count integer not null default 0,
  -- When it stopped being active; what waits is held from then.
  held_since timestamptz check ((held_since is null) = (status = 1)),
  -- Signing secrets, encrypted. The one before signs too until its time is over.
  secret bytea not null,
  secret_last4 text not null check (length(secret_last4) = 4),
  previous_secret bytea,
  previous_secret_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A deleted subscription keeps its row, because the log keeps naming it.
  deleted_at timestamptz,
  check ((previous_secret is null) = (previous_secret_until is null))
);

create unique index webhook_subscriptions_of_partner on webhook_subscriptions (partner_id, url) where deleted_at is null;

-- The log. No foreign key to the subscription: rows there never vanish, and the check would lock one shared row in every
-- purchase.
create table webhook_deliveries (
  id bigint generated always as identity (increment by 2) primary key,
  partner_id integer not null,
  subscription_id bigint not null,
  -- 0: a test event, which belongs to no order.
  order_id bigint not null,
  event_id text not null,
  event_type text not null,
  status text not null default 'pending' check (status in ('pending', 'failed', 'sent', 'dead')),
  attempts smallint not null default 0,
  max_attempts smallint not null,
  http_code smallint,
  duration_ms integer,
  response_body text not null default '',
  error text not null default '',
  sent_at timestamptz,
  created_at timestamptz not null,
  -- The exact body that is signed, encrypted (it can hold an activation credential); null once pruned.
  body bytea
);

-- Any filter of the log is a handful of ranges of one of these two, each already in the order it is shown.
create index webhook_deliveries_of_partner on webhook_deliveries (partner_id, status, event_type, id desc);
create index webhook_deliveries_of_subscription on webhook_deliveries (subscription_id, status, event_type, id desc);
create index webhook_deliveries_to_prune on webhook_deliveries (created_at) where body is not null;

-- What is still to be sent. A claim moves `due_at` to the end of its lease and counts the attempt, so a process that dies
-- gives its rows back by doing nothing. Each subscription is a lane of the one index: a lane that is paused, disabled or
-- busy is stepped over whole, however many rows it holds.
create table webhook_queue (
  delivery_id bigint primary key,
  subscription_id bigint not null,
  due_at timestamptz not null,
  attempts smallint not null default 0,
  max_attempts smallint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

create index webhook_queue_lanes on webhook_queue (subscription_id, due_at, delivery_id);

-- Numbers test events, so that no two share an event_id.
create sequence webhook_test_numbers;

do $$ begin
  if current_schema() = 'sandbox' then
    alter table webhook_subscriptions alter column id restart with 2;
    alter table webhook_deliveries alter column id restart with 2;
  end if;
end $$;
