-- A row is the catalog a partner was told of last, since it has a subscription to `catalog.changed`: the catalog's state, how its rows
-- were written and what set the partner's prices. `form` is null until the first event. `sent_at` is in the account's own time.
create table catalog_notices (
  partner_id integer primary key,
  state bigint not null,
  token text not null,
  form text,
  contract text not null,
  events integer not null default 0,
  sent_at timestamptz
);
