-- Years whose movements were moved out of the database into signed files, and what the database keeps in their place
-- (domains/money/archive/archive.ts explains how). Only live has any.

-- A row is an archived year, with the file that has its lines. Written in the transaction that takes them out.
create table archives (
  year integer primary key,
  -- Its end: the first moment that is not in it.
  until timestamptz not null,
  -- When it was taken out. Rows of the ledger can only be deleted in a transaction that has written such a row itself.
  taken_at timestamptz not null default transaction_timestamp(),
  file text not null,
  -- Of all of the file before its last line. The next file names it.
  sha256 text not null,
  -- What was taken out.
  movements bigint not null,
  transfers bigint not null
);

-- A row is a partner's book up to the end of the last archived year: its last line and the balance that line left. The lines up to it
-- that are still there belong to orders whose money can still move, or to no order.
create table archived_books (
  partner_id integer not null,
  book text not null,
  line bigint not null,
  balance bigint not null,
  until timestamptz not null,
  -- How many lines were taken out.
  taken bigint not null,
  primary key (partner_id, book)
);

-- A row is the sum of a partner's transfers from one account to another that were taken out.
create table archived_transfers (
  partner_id integer not null,
  debit text not null,
  credit text not null,
  transfers bigint not null,
  amount bigint not null,
  primary key (partner_id, debit, credit)
);

-- A row is what was taken out of a closed month: sales, refunds in the same closing, and refunds in a later one.
create table archived_closings (
  closing_id bigint primary key,
  sold bigint not null,
  given bigint not null,
  given_later bigint not null
);

create trigger archives_append_only before update or delete on archives for each row execute function refuse_rewrite();
create trigger archives_no_truncate before truncate on archives for each statement execute function refuse_rewrite();

-- As before, with one exception: in live, the transaction that has written the row of an archive may delete from the ledger.
create or replace function refuse_rewrite() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'DELETE' and (tg_table_schema = 'sandbox'
      or tg_table_name in ('movements', 'transfers') and exists (select from archives where taken_at = transaction_timestamp())) then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
