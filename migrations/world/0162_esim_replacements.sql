-- A row is a request to replace an eSIM by a new one of the same plan, free of charge. `price` is what was paid for the first eSIM: it
-- bounds what a route may spend on the new one. `cost_micros` is what the new one cost the operator, booked when it is delivered.
create table esim_replacements (
  id bigint generated always as identity primary key,
  partner_id integer not null references wallets (partner_id),
  -- The order that brought the old eSIM.
  old_order_id bigint not null references orders (id),
  old_iccid text not null,
  -- The free order of the new one; null: none was placed, or the last one failed.
  order_id bigint unique references orders (id),
  idempotency_key text collate "C" not null,
  reason text not null default '',
  requested_by text not null,
  status text not null check (status in ('requested', 'pending', 'replaced', 'rejected')),
  price bigint not null,
  cost_micros bigint,
  requested_at timestamptz not null,
  placed_at timestamptz,
  decided_at timestamptz,
  replaced_at timestamptz,
  -- What became of the old eSIM; null: its supplier has not answered yet, or has not been asked.
  old_esim text check (old_esim in ('withdrawn', 'suspended', 'left')),
  -- When its supplier is asked next.
  due_at timestamptz,
  attempts integer not null default 0,
  unique (partner_id, idempotency_key),
  check (order_id is not null or status in ('requested', 'rejected'))
);
-- An eSIM is replaced once.
create unique index esim_replacements_once on esim_replacements (old_order_id) where status <> 'rejected';
create index esim_replacements_of_order on esim_replacements (old_order_id, id);
create index esim_replacements_due on esim_replacements (due_at) where due_at is not null;
create index esim_replacements_open on esim_replacements (status, id) where status in ('requested', 'pending');
-- What counts against a partner's budget.
create index esim_replacements_placed on esim_replacements (partner_id, placed_at) where placed_at is not null;
