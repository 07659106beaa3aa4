-- Money of one world: running balances (wallets), the lines a partner reads (movements) and the double-entry transfers
-- that prove both. Amounts are whole US cents.

create table wallets (
  partner_id integer primary key references shared.partners (id),
  billing_mode text not null default 'prepaid' check (billing_mode in ('prepaid', 'postpaid')),
  cash bigint not null default 0 check (cash >= 0),
  promo bigint not null default 0 check (promo >= 0),
  -- Postpaid debt; below zero when a refund came after the invoice was paid.
  outstanding bigint not null default 0,
  credit_limit bigint not null default 0 check (credit_limit >= 0),
  -- 1 active, 2 suspended: purchases refused.
  status smallint not null default 1 check (status in (1, 2)),
  -- When a billing account was opened; null: never, the statement answers 404.
  opened_at timestamptz,
  -- How many lines each book has. Whoever writes a line holds the wallet, so it also holds the count.
  wallet_lines bigint not null default 0,
  debt_lines bigint not null default 0
);

-- One line of the wallet's history or of the debt statement, with the balance it left.
create table movements (
  id bigint generated always as identity primary key,
  partner_id integer not null references wallets (partner_id),
  book text not null check (book in ('wallet', 'debt')),
  type text not null check (
    (book = 'wallet' and type in ('topup', 'purchase', 'refund', 'adjust', 'promo', 'profit_share')) or
    (book = 'debt' and type in ('charge', 'payment', 'adjust', 'refund', 'profit_share'))
  ),
  -- Signed as it changes the book's balance.
  amount bigint not null check (amount <> 0),
  balance_after bigint not null,
  order_id bigint,
  note text not null default '',
  at timestamptz not null,
  -- Numbered from 1 without a gap in each book: a page is a range of numbers, found at once however far back it lies.
  line bigint not null
);

create unique index movements_of_partner on movements (partner_id, book, line);
create index movements_of_partner_type on movements (partner_id, book, type, line);
create index movements_of_order on movements (order_id) where order_id is not null;
-- An order is charged at most once, whatever is retried.
create unique index movements_one_charge on movements (order_id) where type in ('purchase', 'charge');

-- Top-ups inside a window, summed from the index alone: they set the partner's share tier.
create index movements_topups on movements (partner_id, at) include (amount) where book = 'wallet' and type = 'topup';

-- A top-up can lift the partner's share tier: tell every process to look again.
create function notify_topup() returns trigger language plpgsql as $$
begin
  perform pg_notify('wayfare_pricing', new.partner_id::text);
  return null;
end $$;

create trigger movements_topup after insert on movements
  for each row when (new.book = 'wallet' and new.type = 'topup') execute function notify_topup();

-- Double entry: each row debits one account and credits another by the same amount, so the books balance by construction.
create table transfers (
  id bigint generated always as identity primary key,
  movement_id bigint not null references movements (id),
  partner_id integer not null,
  debit text not null,
  credit text not null,
  amount bigint not null check (amount > 0),
  check (debit <> credit),
  check (debit in ('cash', 'promo', 'receivable', 'revenue', 'card_clearing', 'bank_clearing', 'promo_expense',
    'share_expense', 'adjustment', 'play_money')),
  check (credit in ('cash', 'promo', 'receivable', 'revenue', 'card_clearing', 'bank_clearing', 'promo_expense',
    'share_expense', 'adjustment', 'play_money'))
);

create index transfers_of_movement on transfers (movement_id);

-- Append-only. The sandbox may forget (a reset deletes play data); live never does, not even for the owner of the table.
create function refuse_rewrite() returns trigger language plpgsql as $$
begin
  if tg_table_schema = 'sandbox' and tg_op = 'DELETE' then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger movements_append_only before update or delete on movements
  for each row execute function refuse_rewrite();
create trigger movements_no_truncate before truncate on movements
  for each statement execute function refuse_rewrite();
create trigger transfers_append_only before update or delete on transfers
  for each row execute function refuse_rewrite();
create trigger transfers_no_truncate before truncate on transfers
  for each statement execute function refuse_rewrite();
