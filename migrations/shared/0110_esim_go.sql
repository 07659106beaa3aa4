-- A row is an order of ours at eSIM Go, which takes no reference from its customers: what we need in order to recognise the order
-- there after a lost reply, and never to place it twice (src/suppliers/esim-go/sent-orders.ts).
create table esim_go_orders (
  -- Ours, with the second of payment.
  reference text primary key,
  -- Their name of the plan.
  bundle text not null,
  -- The eSIM it refills, or the new one as soon as it is known.
  iccid text,
  -- When it may last have been sent; null: it certainly had no effect.
  sent_at timestamptz,
  times_sent integer not null default 0,
  -- Look-ups since it was sent that found nothing.
  empty_looks integer not null default 0,
  -- Until then no process sends another order to eSIM Go.
  busy_until timestamptz not null,
  -- Theirs. One of their orders is one of ours.
  order_reference text unique,
  -- Our address, as their reply names it.
  source_ip text,
  -- When we asked them to take the eSIM back.
  withdrawn_at timestamptz
);

create index esim_go_orders_uncertain on esim_go_orders (bundle, sent_at) where order_reference is null and sent_at is not null;
create index esim_go_orders_busy on esim_go_orders (busy_until);
create index esim_go_orders_of_esim on esim_go_orders (iccid);
create index esim_go_orders_from on esim_go_orders (source_ip);
