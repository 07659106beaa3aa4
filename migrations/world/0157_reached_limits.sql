-- A row is a limit that refused a purchase, with the start of the last window it did in, so that `account.limit_reached` is sent once per
-- window. A limit is its terms: one that is set again as it was is the same. `key_id` 0: the partner's own. An amount or count of 0:
-- it limits the other. The start of a limit per order is the epoch.
create table reached_limits (
  partner_id integer not null,
  key_id integer not null,
  per text not null,
  amount bigint not null,
  count integer not null,
  starts timestamptz not null,
  primary key (partner_id, key_id, per, amount, count)
);
-- How often the event was sent, for its number.
alter table wallets add column limit_reached_events integer not null default 0;
