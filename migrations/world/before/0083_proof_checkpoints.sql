-- Where the last whole proof of the ledger left off, so that the next one can prove only what is new. One row.
create table proof_checkpoints (
  is_only boolean primary key default true check (is_only),
  made_at timestamptz not null,
  -- Whatever is numbered up to here was committed and proved, or never will be. Later rows may have been on their way.
  movements_to bigint not null,
  orders_to bigint not null,
  -- Orders up to there that had not come to their end: they are proved again.
  open_orders bigint[] not null,
  -- A later whole proof found that the books do not add up, so nothing may be built on this one.
  is_broken boolean not null default false
);

-- Each wallet as that proof found it, with the last line of both books. A line is new if its number is higher; numbers are given
-- under the wallet's lock, so none of them can still be on its way when a higher one is seen.
create table proved_wallets (
  partner_id integer primary key,
  cash bigint not null,
  promo bigint not null,
  outstanding bigint not null,
  -- Paid in by card, less what went back.
  card bigint not null,
  wallet_lines bigint not null,
  debt_lines bigint not null,
  -- The movements that are these lines. Others in their place (a sandbox that was reset) mean that the wallet is proved from its first line.
  last_wallet_id bigint,
  last_debt_id bigint
);
