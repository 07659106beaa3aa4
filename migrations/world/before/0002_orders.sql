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
  -- When the operator was told that it is paid and still not delivered.
  overdue_at timestamptz,
  -- Activation data, encrypted; the ICCID alone is no credential.
  esim bytea,
  iccid text,
  -- Extra of the sandbox (scenario, usage figures to show); empty in live.
  script jsonb,
  -- Where a limit counts waiting deliveries, an order's events fit whole or not at all: those to come, which have room kept
  -- for them, and whether none fitted, so that none is sent.
  events_ahead text[] not null default '{}',
  is_quiet boolean not null default false,
  -- When its usage is next looked at for the revenue share: from its delivery on, then whenever the last look said.
  -- 'infinity': it has its share.
  usage_due_at timestamptz,
  created_at timestamptz not null,
  paid_at timestamptz,
  delivered_at timestamptz,
  failed_at timestamptz
);

create unique index orders_idempotency on orders (partner_id, idempotency_key) where idempotency_key is not null;
create index orders_of_partner on orders (partner_id, id desc) where status <> 2;
create index orders_by_iccid on orders (iccid) where iccid is not null;
create index orders_to_provision on orders (provision_due_at) where provision_due_at is not null;
-- Due orders of one partner, for a world that finishes them when they are read.
create index orders_to_provision_of_partner on orders (partner_id, provision_due_at) where provision_due_at is not null;
-- Paid orders nobody has answered for: few at any time, however many deferred ones wait for their reader.
create index orders_unanswered on orders (provision_due_at) where delivery = '' and provision_due_at is not null;
create index orders_overdue on orders (id) where overdue_at is not null and provision_due_at is not null;
-- A delivered sale is a candidate until it has its share. By partner, so sales of partners without a rate cost nothing.
create index orders_share_candidates on orders (partner_id, (coalesce(usage_due_at, delivered_at)))
  where status = 1 and not is_unlimited and cost_micros > 0 and (usage_due_at is null or usage_due_at < 'infinity');
