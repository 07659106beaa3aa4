-- Orders of one world. Status: 3 created, 4 paid (also deferred), 1 delivered, 2 failed.

create table orders (
  id bigint generated always as identity (start with 1001) primary key,
  partner_id integer not null references wallets (partner_id),
  -- Byte for byte: keys compare with the C collation. Null: bought without protection.
  idempotency_key text collate "C",
  plan_id integer not null,
  product_id text not null,
  status smallint not null check (status in (1, 2, 3, 4)),
  delivery text not null default '' check (delivery in ('', 'delivered', 'deferred', 'failed')),
  delivery_reason text not null default '',
  billing_mode text not null check (billing_mode in ('prepaid', 'postpaid')),
  -- The sale record: list price, partner price charged and wholesale cost at purchase time.
  product_price bigint not null,
  sale_price bigint not null,
  cost_micros bigint not null,
  -- What was sold, as it was described then; later imports do not rewrite it.
  product_title text not null,
  data text not null,
  amount_mb integer not null,
  day integer not null,
  is_unlimited boolean not null,
  country_code text not null,
  -- Provisioning: who supplies it, under which reference of ours, and when the row is next due.
  supplier text not null,
  supplier_plan text not null,
  supplier_order text,
  provision_due_at timestamptz,
  provision_attempts integer not null default 0,
  -- Activation data, encrypted; the ICCID alone is no credential.
  esim bytea,
  iccid text,
  -- Extra of the sandbox (scenario, usage figures to show); empty in live.
  script jsonb,
  created_at timestamptz not null,
  paid_at timestamptz,
  delivered_at timestamptz,
  failed_at timestamptz
);

create unique index orders_idempotency on orders (partner_id, idempotency_key) where idempotency_key is not null;
create index orders_of_partner on orders (partner_id, id desc) where status <> 2;
create index orders_by_iccid on orders (iccid) where iccid is not null;
create index orders_to_provision on orders (provision_due_at) where provision_due_at is not null;
