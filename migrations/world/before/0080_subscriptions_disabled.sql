-- Looked at every second for those that are to be tried again.
create index concurrently if not exists webhook_subscriptions_disabled on webhook_subscriptions (id)
  where status = 3 and deleted_at is null;
