-- What the rows of each block of the ledger add up to, as a whole proof found it: rows with ids of the same 250,000, so that a proof of
-- what is new need not add up all of them every time. They never change. Only blocks whose rows are all committed are here, and none in the sandbox, where accounts are reset.
create table proved_blocks (
  block bigint primary key,
  movements bigint not null,
  in_wallets bigint not null,
  in_debts bigint not null,
  transfers bigint not null,
  revenue bigint not null,
  cash bigint not null,
  promo bigint not null,
  outstanding bigint not null
);

-- Blocks below this one are kept, and the orders up to this id are that many. Null: everything has to be added up.
alter table proof_checkpoints add column blocks_to bigint, add column orders_counted bigint, add column orders_counted_to bigint;
