-- Revenue share on unused data: at most one row per sale, `shadow` until the money has moved.

create table revenue_shares (
  id bigint generated always as identity,
  order_id bigint not null unique references orders (id),
  partner_id integer not null,
  -- The calculation as it was made; a later rate or reading rewrites nothing.
  plan_mb integer not null check (plan_mb > 0),
  used_mb integer not null check (used_mb >= 0),
  unused_mb integer not null check (unused_mb > 0 and unused_mb = plan_mb - used_mb),
  unit_cost_micros bigint not null,
  unused_cost_micros bigint not null,
  share_pct numeric(5, 2) not null check (share_pct between 0 and 100),
  amount bigint not null check (amount >= 0),
  capped boolean not null,
  status text not null default 'shadow' check (status in ('shadow', 'settled')),
  channel text not null default '',
  settle_debt bigint not null default 0 check (settle_debt >= 0),
  settle_wallet bigint not null default 0 check (settle_wallet >= 0),
  created_at timestamptz not null,
  settled_at timestamptz,
  -- By partner first: a partner's list is one stretch of the index, whoever else has shares.
  primary key (partner_id, id),
  check (case status
    when 'shadow' then channel = '' and settle_debt + settle_wallet = 0 and settled_at is null
    else settle_debt + settle_wallet = amount and settled_at is not null and channel = case
      when amount = 0 then 'none'
      when settle_wallet = 0 then 'debt'
      when settle_debt = 0 then 'wallet'
      else 'split' end
    end)
);

create index revenue_shares_of_partner_status on revenue_shares (partner_id, status, id);
create index revenue_shares_of_partner_none on revenue_shares (partner_id, id) where channel = 'none';
create index revenue_shares_to_settle on revenue_shares (partner_id, id) where status = 'shadow';

-- Totals of the list, kept in the transaction that changes a row, so they need no scan however long the list is.
create table revenue_share_totals (
  partner_id integer not null,
  -- `shadow`, or the kind of settled row: money moved (`paid`) or there was none to move (`none`).
  kind text not null check (kind in ('shadow', 'paid', 'none')),
  amount bigint not null,
  unused_mb bigint not null,
  primary key (partner_id, kind)
);
