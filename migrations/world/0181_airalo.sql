-- Where a client of the door for Airalo's software wants a kind of webhook; null: it has opted out.
create table airalo_opt_ins (
  key_id integer not null,
  kind text not null check (kind in ('async_orders', 'webhook_low_data', 'webhook_credit_limit')),
  partner_id integer not null,
  url text,
  updated_at timestamptz not null,
  primary key (key_id, kind)
);
create index airalo_opt_ins_of_partner on airalo_opt_ins (partner_id);

-- A row is a webhook in Airalo's form that has to be sent, signed with the client's secret. That of an order waits until nothing of the order is open.
create table airalo_notices (
  id bigint generated always as identity primary key,
  partner_id integer not null,
  key_id integer not null,
  kind text not null,
  -- The first order of what was bought together. Its body is made when it is sent. It goes with its order when a sandbox is reset.
  order_id bigint references orders (id) on delete cascade,
  request_id text,
  -- What was asked for synchronously and is answered only in part, as opposed to what was asked for asynchronously.
  is_rest boolean not null default false,
  -- Null: nobody wants it, and it is here so that the page of the order can say so.
  url text,
  body text,
  attempts integer not null default 0,
  -- Null: it is sent, or was given up.
  due_at timestamptz,
  sent_at timestamptz,
  http_status integer,
  created_at timestamptz not null
);
create index airalo_notices_due on airalo_notices (due_at) where due_at is not null;
create index airalo_notices_of_order on airalo_notices (order_id) where order_id is not null;

-- When what was ordered under a description was ordered first, so that ordering it again within a minute finds the same order.
create table airalo_repeats (
  partner_id integer not null,
  fingerprint text not null,
  at timestamptz not null,
  primary key (partner_id, fingerprint)
);
