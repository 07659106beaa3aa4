-- A disabled subscription is tried again by itself. `failed_until`: when the last failure ended that counted; an attempt that began
-- earlier overlaps it. `comeback_at`: when it is tried next; null: a minute after it was disabled, or, after the last try, never.
alter table webhook_subscriptions
  add column failed_until timestamptz,
  add column comeback_at timestamptz,
  add column comeback_tries smallint not null default 0;
