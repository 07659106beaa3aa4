-- What operators write down for each other about a partner or one of its orders. Never shown to partners; a world's role cannot read
-- it (src/db/rights.ts). A note is not edited: its author or an admin may delete it, and the audit log says so.
create table notes (
  id bigint generated always as identity primary key,
  partner_id integer not null references partners (id),
  -- Both null: it is about the partner.
  mode text check (mode in ('live', 'sandbox')),
  order_id bigint,
  -- As the audit log names them.
  author text not null,
  text text not null check (text <> ''),
  written_at timestamptz not null,
  check ((mode is null) = (order_id is null))
);
create index notes_of_partner on notes (partner_id, id desc) where order_id is null;
create index notes_of_order on notes (order_id, mode, id desc) where order_id is not null;
