-- Where a limit counts waiting deliveries, an order's events fit whole or not at all, those to come included.

alter table orders
  -- Events an open order has room kept for.
  add column events_ahead text[] not null default '{}',
  -- Its events did not fit: none was queued, none will be.
  add column is_quiet boolean not null default false;

-- Paid orders nobody has answered for: few at any time, however many deferred ones wait for their reader.
create index orders_unanswered on orders (provision_due_at) where delivery = '' and provision_due_at is not null;
