-- An order whose supplier sent what cannot be right, and why. It stays paid and deferred until its supplier corrects it or an operator
-- decides; null: it is not held.
alter table orders
  add column held_at timestamptz,
  add column held_reason text;

-- A row is an ICCID with the order it was last sold with. The statement that delivers an eSIM claims its ICCID here, so that no two
-- orders get the same one. Orders delivered before this table was added have no row: they are looked up in `orders`.
create table sold_iccids (
  iccid text collate "C" primary key,
  order_id bigint not null,
  at timestamptz not null
);
