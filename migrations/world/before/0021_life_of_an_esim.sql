-- What happens to an eSIM after its purchase: it is refilled, or its price goes back. Only columns with a constant default, so no
-- row is rewritten, and a process of the previous version, which does not know them, writes true rows.

alter table orders
  -- The partner's own reference; empty: none was given.
  add column reference text collate "C" not null default '',
  -- A refill adds its plan to the eSIM of an earlier order: that order's id. It has no activation data, and has that eSIM's
  -- ICCID from the beginning. Null: the order brought an eSIM of its own.
  add column refill_of bigint,
  -- What of the sale price of a delivered order has been given back, over all its refunds.
  add column refunded bigint not null default 0,
  -- When the eSIM was withdrawn at its supplier.
  add column withdrawn_at timestamptz;
-- Not validated: every row that exists has none, and reading them all would hold up purchases.
alter table orders add constraint orders_refunded_check check (refunded >= 0) not valid;
alter table orders add constraint orders_refill_of_fkey foreign key (refill_of) references orders (id) not valid;

-- One refund per order, from the partner's request (or the operator's command) to the decision.
create table refunds (
  order_id bigint primary key references orders (id),
  partner_id integer not null references wallets (partner_id),
  -- 'withdrawing': the supplier is being asked to take the eSIM back, and `due_at` is when the next try begins. The partner reads
  -- it as requested.
  status text not null check (status in ('withdrawing', 'requested', 'refunded', 'rejected')),
  amount bigint not null default 0 check (amount >= 0),
  reason text not null default '',
  note text not null default '',
  requested_at timestamptz not null,
  decided_at timestamptz,
  due_at timestamptz,
  attempts integer not null default 0
);

create index refunds_of_partner on refunds (partner_id, order_id desc);
create index refunds_by_status on refunds (status, order_id desc);
create index refunds_due on refunds (due_at) where due_at is not null;
