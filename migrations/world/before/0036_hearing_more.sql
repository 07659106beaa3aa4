-- What partners hear of beside their orders. Only columns with a constant default or none, so no row is rewritten, and a process of
-- the previous version, which does not know them, writes true rows.

alter table wallets
  -- Tell the partner when what it can spend falls below this; null: it did not ask for that.
  add column balance_alert bigint check (balance_alert > 0),
  -- How often account.balance_low and topup.succeeded were told: they number the event ids.
  add column balance_low_told integer not null default 0,
  add column topups_told integer not null default 0;

-- Which events were told of an eSIM, so that each is told once per occasion.
create table esim_events (
  -- The order that brought the eSIM.
  order_id bigint not null,
  event text not null,
  -- What it is told once per: the number of refills, or the end in seconds; empty: the eSIM itself.
  occasion text not null,
  iccid text not null,
  -- Numbers the event ids of an ICCID, which a supplier may use again.
  n integer not null,
  told_at timestamptz not null,
  primary key (order_id, event, occasion)
);

create unique index esim_events_numbers on esim_events (iccid, event, n);

-- When the usage of the order's eSIM is to be read, in real time; null: nobody wants to hear of it, or nothing more can happen to it.
alter table orders add column watch_due_at timestamptz;

-- Partners who have begun to listen and whose earlier eSIMs are still to be watched, from the newest down.
create table watch_backlog (
  partner_id integer primary key references shared.partners (id),
  -- The orders with a smaller id are still to be gone through; 0: all are done.
  before_id bigint not null
);

create index watch_backlog_open on watch_backlog (partner_id) where before_id > 0;
