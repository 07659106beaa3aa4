-- One world. It runs in the schemas `live` and `sandbox`, so it never names either. Amounts are whole US cents, micros are millionths
-- of a dollar. What each world's role may do is listed in one place, `platform/db/migrate/rights.ts` under src, and granted after
-- every migration.
--
-- A new database runs this file, then the later ones. A database of the previous release has this schema already. The file is never
-- edited: a change is a new file.

-- Money ------------------------------------------------------------------------------------------------------------------------------
-- Running balances (wallets), the lines a partner reads (movements) and the double-entry transfers that prove both.

-- A row is what a partner has and owes. Every transaction that moves the partner's money locks it; operators write its terms.
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
  -- How many lines each book has. A line is written under the wallet's lock, so the count is exact.
  wallet_lines bigint not null default 0,
  debt_lines bigint not null default 0,
  -- Notify the partner when it can spend less than this; null: no alert is set.
  balance_alert bigint check (balance_alert > 0),
  -- How often account.balance_low and topup.succeeded were published: they number the event ids.
  balance_low_events integer not null default 0,
  topup_events integer not null default 0
);

-- A row is one line of the wallet's history or of the debt statement, with the balance it left. Every movement of money adds one; none
-- is ever changed.
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

-- A page of a book.
create unique index movements_of_partner on movements (partner_id, book, line);
-- The statement of a debt is read by type, the wallet's is not: a prepaid purchase needs no place here.
create index movements_of_debt_by_type on movements (partner_id, type, line) where book = 'debt';
-- An order is charged at most once, however often it is retried. Its charge is found here, too.
create unique index movements_one_charge on movements (order_id) where type in ('purchase', 'charge');
-- What came after an order's charge.
create index movements_after_charge on movements (order_id)
  where order_id is not null and type not in ('purchase', 'charge');
-- Top-ups inside a window, summed from the index alone: they set the partner's share tier.
create index movements_topups on movements (partner_id, at) include (amount) where book = 'wallet' and type = 'topup';

-- A top-up can lift the partner's share tier: every process reads it again.
create function notify_topup() returns trigger language plpgsql as $$
begin
  perform pg_notify('wayfare_pricing', new.partner_id::text);
  return null;
end $$;

create trigger movements_topup after insert on movements
  for each row when (new.book = 'wallet' and new.type = 'topup') execute function notify_topup();

-- A row debits one account and credits another by the same amount, so the books balance by construction. Written with its movement.
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

-- The transfers of a movement.
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

-- A row, and there is one, is where the last whole proof of the ledger left off, so that the next one can prove only what is new.
create table proof_checkpoints (
  is_only boolean primary key default true check (is_only),
  made_at timestamptz not null,
  -- Ids up to here were committed and proved, or never will be. Rows with a higher id may not have been committed yet.
  movements_to bigint not null,
  orders_to bigint not null,
  -- Orders up to there that were still open: they are proved again.
  open_orders bigint[] not null,
  -- A later whole proof found that the books do not add up, so nothing may be built on this one.
  is_broken boolean not null default false
);

-- A row is a wallet as that proof found it, with the last line of both books. A line is new if its number is higher: numbers are given
-- under the wallet's lock, so all lower ones are committed when a higher one is seen.
create table proved_wallets (
  partner_id integer primary key,
  cash bigint not null,
  promo bigint not null,
  outstanding bigint not null,
  -- Paid in by card, less what went back.
  card bigint not null,
  wallet_lines bigint not null,
  debt_lines bigint not null,
  -- The movements that are these lines. If others are in their place (a sandbox was reset), the wallet is proved from its first line.
  last_wallet_id bigint,
  last_debt_id bigint
);

-- A row is the sum of the lines of one kind in a partner's book, from the first up to `line`, a multiple of a thousand. So the sum of
-- any stretch of lines is the difference of two such rows, and a few lines at both ends. Lines never change, so neither do these. A job
-- adds them.
create table book_sums (
  partner_id integer not null,
  book text not null,
  line bigint not null,
  type text not null,
  is_increase boolean not null,
  count bigint not null,
  amount bigint not null,
  primary key (partner_id, book, line, type, is_increase)
);

-- Top-ups by card --------------------------------------------------------------------------------------------------------------------

-- A row is a top-up. It is written before the payment provider is called, so no payment is ever without one, and updated with each of
-- the provider's answers.
create table topups (
  id bigint generated always as identity primary key,
  partner_id integer not null references wallets (partner_id),
  -- Our reference at the provider and the partner's handle on the top-up; unguessable.
  payment_key text collate "C" not null unique,
  provider text not null,
  -- The provider's id; null until its answer has reached us.
  intent_id text collate "C",
  amount bigint not null check (amount > 0),
  currency text not null check (currency = 'USD'),
  status text not null default 'requires_payment' check (status in ('requires_payment', 'succeeded', 'failed', 'expired')),
  -- Paid, but not the amount that was requested: never credited, an operator decides.
  mismatch text,
  -- Sent back to the card holder by the provider, or taken by the holder's bank, after the credit.
  refunded bigint not null default 0 check (refunded >= 0),
  disputed bigint not null default 0 check (disputed >= 0),
  -- How much of that has been taken from the wallet again. The rest is open.
  recovered bigint not null default 0 check (recovered >= 0),
  -- Counts the provider's answers that were recorded, so that an answer read before the last one is recognised as old.
  revision integer not null default 0,
  -- When the payment is next looked up at the provider; null: nothing is expected to change.
  check_due_at timestamptz,
  created_at timestamptz not null,
  closed_at timestamptz,
  -- Money only comes back from a top-up that was credited, and never more of it than that.
  check (recovered = 0 or status = 'succeeded'),
  check (recovered <= amount)
);

-- By the provider's id.
create unique index topups_by_intent on topups (provider, intent_id) where intent_id is not null;
-- Those the worker looks up next.
create index topups_to_check on topups (check_due_at) where check_due_at is not null;
-- A partner's list.
create index topups_of_partner on topups (partner_id, id desc);
-- An operator's lists: unpaid ones, failed ones, and those with money sent back or a payment that does not match.
create index topups_open on topups (id desc) where status = 'requires_payment';
create index topups_failed on topups (id desc) where status = 'failed';
create index topups_disputed on topups (id desc) where refunded + disputed > 0 or mismatch is not null;

-- A row is a payment at the simulated card provider, which keeps it as an outside provider would keep its own.
create table simulated_intents (
  id text collate "C" primary key,
  payment_key text collate "C" not null unique,
  client_secret text collate "C" not null unique,
  amount bigint not null check (amount > 0),
  currency text not null,
  state text not null default 'open' check (state in ('open', 'succeeded', 'canceled'))
);

-- Orders -----------------------------------------------------------------------------------------------------------------------------

-- A row is an order, of an eSIM or of a refill. The purchase writes it; provisioning, refunds and usage update it.
-- Status: 3 created, 4 paid (also deferred), 1 delivered, 2 failed.
create table orders (
  id bigint generated always as identity (start with 1001) primary key,
  partner_id integer not null references wallets (partner_id),
  -- Byte for byte: keys compare with the C collation. Null: bought without protection.
  idempotency_key text collate "C",
  plan_id integer not null,
  product_id text not null,
  status smallint not null check (status in (1, 2, 3, 4)),
  delivery text not null default '' check (delivery in ('', 'delivered', 'deferred', 'failed')),
  delivery_reason text not null default '',
  billing_mode text not null check (billing_mode in ('prepaid', 'postpaid')),
  -- The sale record: list price, partner price charged and wholesale cost at purchase time.
  product_price bigint not null,
  sale_price bigint not null,
  cost_micros bigint not null,
  -- What was sold, as it was described then; later imports do not rewrite it.
  product_title text not null,
  data text not null,
  amount_mb integer not null,
  day integer not null,
  is_unlimited boolean not null,
  country_code text not null,
  -- Provisioning: who supplies it, under which reference of ours, and when the row is next due.
  supplier text not null,
  supplier_plan text not null,
  supplier_order text,
  provision_due_at timestamptz,
  provision_attempts integer not null default 0,
  -- When it was first reported as paid and still not delivered.
  overdue_at timestamptz,
  -- Activation data, encrypted; the ICCID alone is no credential.
  esim bytea,
  iccid text,
  -- Extra of the sandbox (scenario, usage figures to show); empty in live.
  script jsonb,
  -- Where waiting deliveries are limited, an order sends all of its events or none: the events that still have room reserved, and
  -- whether there was no room, so that none is sent.
  events_ahead text[] not null default '{}',
  is_quiet boolean not null default false,
  -- When its usage is next read for the revenue share: from its delivery on, then as the last reading decided. 'infinity': it has its
  -- share.
  usage_due_at timestamptz,
  created_at timestamptz not null,
  paid_at timestamptz,
  delivered_at timestamptz,
  failed_at timestamptz,
  -- When it may last have been sent to its supplier. Suppliers show new orders late, so for a while after that "not found" proves
  -- nothing. Null: with the payment; -infinity: it certainly was not sent.
  ordered_at timestamptz,
  -- The supplier's own charge for the eSIM; null: it does not say. Compared with `cost_micros`, the cost we expected, unless that is
  -- zero: then it was not known.
  charged_micros bigint check (charged_micros >= 0),
  -- The partner's own reference; empty: none was given.
  reference text collate "C" not null default '',
  -- A refill adds its plan to the eSIM of an earlier order: that order's id. It has no activation data, and has that eSIM's
  -- ICCID from the beginning. Null: the order brought an eSIM of its own.
  refill_of bigint references orders (id),
  -- The refunded part of a delivered order's sale price, over all its refunds.
  refunded bigint not null default 0 check (refunded >= 0),
  -- When the eSIM was withdrawn at its supplier.
  withdrawn_at timestamptz,
  -- The state of the eSIM at its last usage reading; null: never read, which partners see as not active.
  usage_state text,
  -- When it runs out. From then on its state is 'expired', even if the last reading had another.
  usage_ends_at timestamptz,
  -- When the usage of its eSIM is to be read, in real time; null: no subscription needs it, or its state is final.
  watch_due_at timestamptz,
  -- The call that placed it. Null: before this was recorded. Without an index, so that purchases do not pay for one.
  request_id uuid,
  -- The API key that bought it. Null: before this was recorded. Without an index, too: a list by key can read the partner's newest
  -- orders instead.
  key_id integer,
  -- Orders that were bought together: the id of the first of them, which also has their idempotency key. Null: it was bought alone.
  batch_id bigint,
  -- A request to cancel it, and its outcome: `requested`, `cancelled` or `too_late`. Null: there was none. A cancelled order has failed,
  -- or was delivered and handed back to its supplier.
  cancel_status text,
  cancel_requested_at timestamptz,
  cancel_decided_at timestamptz,
  -- Set: it was delivered after its cancel was requested. When the supplier is next asked to take the eSIM back.
  cancel_due_at timestamptz,
  -- The attempt (`provision_attempts`) after which certainly no supplier had the order. While the two are equal, no attempt is running.
  free_attempts integer
);

-- One purchase per idempotency key.
create unique index orders_idempotency on orders (partner_id, idempotency_key) where idempotency_key is not null;

-- A partner's lists: all but failed ones, and those that failed or were never paid. Paid orders cost the second one nothing.
create index orders_of_partner on orders (partner_id, id desc) where status <> 2;
create index orders_not_paid on orders (partner_id, status, id desc) where status in (2, 3);
-- The same over all partners, for the console.
create index orders_not_paid_of_all on orders (status, id desc) where status in (2, 3);
create index orders_failed on orders (failed_at) where failed_at is not null;
-- The orders of a batch.
create index orders_of_batch on orders (batch_id, id) where batch_id is not null;
-- A product's orders, which may be a handful among a million; and the range of ids of a period, where the first and the last id of a
-- week take one look-up each. Open orders are in neither: they would be written twice, when they are paid and when they are delivered.
create index orders_closed_of_product on orders (partner_id, product_id, id) where provision_due_at is null;
create index orders_closed_by_week on orders
  (partner_id, date_trunc('week', created_at at time zone 'UTC'), id, created_at) where provision_due_at is null;

-- Orders by the eSIM, by the partner's reference (of one partner, and of all for operators), by the supplier's number.
create index orders_by_iccid on orders (iccid) where iccid is not null;
create index orders_by_reference on orders (partner_id, reference, id) where reference <> '';
create index orders_by_reference_of_all on orders (reference, id) where reference <> '';
create index orders_by_supplier_order on orders (supplier_order) where supplier_order is not null;

-- Provisioning: orders that are due; those of one partner, for a world that finishes orders when they are read; paid orders without an
-- answer from their supplier, which are few at any time, however many are deferred; and those that are overdue.
create index orders_to_provision on orders (provision_due_at) where provision_due_at is not null;
create index orders_to_provision_of_partner on orders (partner_id, provision_due_at) where provision_due_at is not null;
create index orders_unanswered on orders (provision_due_at) where delivery = '' and provision_due_at is not null;
create index orders_overdue on orders (id) where overdue_at is not null and provision_due_at is not null;
-- Cancelled orders that were delivered and have to be handed back.
create index orders_cancel_due on orders (cancel_due_at) where cancel_due_at is not null;
-- Orders whose supplier did not charge what we expected. They are few, so this costs the others nothing.
create index orders_charged_otherwise on orders (id) where charged_micros <> cost_micros and cost_micros > 0;

-- The refills of an eSIM. The foreign key uses it, too, when an order is deleted.
create index orders_refills on orders (refill_of) where refill_of is not null;
-- Refunded orders of a partner, and of all. They are few, so this costs the others nothing.
create index orders_refunded on orders (partner_id, id) where refunded > 0;
create index orders_refunded_of_all on orders ((refunded > 0), id desc) where refunded > 0 and status <> 2;
-- A partner's eSIMs by their last known state, newest first. Rows enter it at delivery; open orders and refills never do.
create index orders_by_esim_state on orders (partner_id, (
  case when withdrawn_at is not null then 'cancelled' else coalesce(script ->> 'usage', usage_state, 'not_active') end
), id desc) where status = 1 and refill_of is null;
-- eSIMs in use, by their end. A job marks those that have passed it, so few of them are in the past at any time.
create index orders_running_out on orders (usage_ends_at)
  where usage_state in ('active', 'depleted') and usage_ends_at is not null;
-- Due readings of one supplier, the longest due first.
create index orders_watched on orders (supplier, watch_due_at) where watch_due_at is not null;
-- A delivered order is a candidate for the revenue share until it has it. By partner, so partners without a rate cost nothing.
create index orders_share_candidates on orders (partner_id, (coalesce(usage_due_at, delivered_at)))
  where status = 1 and not is_unlimited and cost_micros > 0 and (usage_due_at is null or usage_due_at < 'infinity');

-- A row is a supplier that was considered for an order: it was asked, or it was passed over. Rows are written only once a second
-- supplier is considered, so that every other order costs nothing. The first row is the supplier of the plan that was sold. While an
-- order is open and not at its first reference, `orders.supplier` is the supplier's slug, `#` and the number of the reference.
create table order_attempts (
  order_id bigint not null,
  position smallint not null,
  -- Of the reference under which it was asked; null: it was not asked.
  number smallint,
  supplier text not null,
  supplier_plan text not null,
  cost_micros bigint not null,
  -- The size of its plan, which may be more than what was sold.
  amount_mb integer not null,
  day integer not null,
  outcome text not null check (outcome in ('passed_over', 'asked', 'refused', 'unavailable', 'unknown', 'pending')),
  reason text not null default '',
  at timestamptz not null,
  primary key (order_id, position),
  unique (order_id, supplier, supplier_plan)
);

-- Orders that suppliers recently lost to others.
create index order_attempts_by_time on order_attempts (at) where position = 1;

-- A row is an eSIM that was bought in advance, for suppliers of kind `stock`. An import adds it, an order takes it. None is ever
-- deleted, so that an ICCID cannot be imported twice. Only live has any: the sandbox simulates its deliveries.
create table stock_items (
  id bigint generated always as identity primary key,
  -- The supplier's slug and its code for the plan, as in `orders`.
  supplier text not null,
  plan text not null,
  iccid text collate "C" not null,
  -- 'returned': its order was refunded. It may have been installed, so it is not sold until an operator releases it.
  state text not null default 'available' check (state in ('available', 'sold', 'returned', 'discarded')),
  -- Activation data, encrypted.
  esim bytea not null,
  -- Its cost; null: the plan's.
  cost_micros bigint check (cost_micros >= 0),
  -- Never sold from then on. Null: it does not expire.
  expires_at timestamptz,
  label text not null default '',
  -- Our reference of the order that took it. It stays when the item is returned, so that the order cannot take a second one.
  reference text collate "C",
  imported_at timestamptz not null,
  -- When its state last changed.
  changed_at timestamptz not null,
  check (state <> 'sold' or reference is not null),
  check (state <> 'available' or reference is null)
);

create unique index stock_items_iccid on stock_items (iccid);
-- An order takes one item, however often it is tried.
create unique index stock_items_reference on stock_items (reference) where reference is not null;
-- The next one to sell: the earliest expiry, those without one last, then the oldest import. Also counts each state.
create index stock_items_next on stock_items (supplier, plan, state, expires_at, id);

-- A row is a plan that was ever in stock. An import adds it; operators set its level.
create table stock_plans (
  supplier text not null,
  plan text not null,
  -- Low when this many are left, or fewer; null: no alert.
  low integer check (low >= 0),
  primary key (supplier, plan)
);

-- A row is a call to a supplier about an order, with its answer, written after the call. Activation data, tokens and credentials are
-- masked. Kept for 30 days. In partitions by month, which a job makes and drops.
create table supplier_calls (
  id bigint generated always as identity,
  order_id bigint not null,
  supplier text not null,
  operation text not null check (operation in ('order', 'find', 'withdraw')),
  -- In real time, even where a test clock is ahead.
  at timestamptz not null,
  duration_ms integer not null,
  -- How we understood the answer, e.g. `delivered`, and the reason it gave.
  outcome text not null,
  reason text not null,
  -- The HTTP calls it took, oldest first: [{"method": …, "path": …, "asked": …, "status": …, "answered": …, "failed": …, "ms": …}].
  exchanges json not null,
  primary key (id, at)
) partition by range (at);

-- The calls of an order.
create index supplier_calls_of_order on supplier_calls (order_id, id);

-- A row is the refund of an order, from the partner's request (or the operator's command) to the decision.
create table refunds (
  order_id bigint primary key references orders (id),
  partner_id integer not null references wallets (partner_id),
  -- 'withdrawing': the supplier is being asked to take the eSIM back, and `due_at` is the time of the next attempt. The partner sees
  -- it as requested.
  status text not null check (status in ('withdrawing', 'requested', 'refunded', 'rejected')),
  amount bigint not null default 0 check (amount >= 0),
  reason text not null default '',
  note text not null default '',
  requested_at timestamptz not null,
  decided_at timestamptz,
  due_at timestamptz,
  attempts integer not null default 0
);

-- Lists, newest first: of a partner, in one state, and both.
create index refunds_of_partner on refunds (partner_id, order_id desc);
create index refunds_by_status on refunds (status, order_id desc);
create index refunds_of_partner_by_status on refunds (partner_id, status, order_id desc);
-- The next withdrawals to attempt.
create index refunds_due on refunds (due_at) where due_at is not null;

-- A row is the link to a traveller's page. The link of an eSIM is derived from its order and signed, so it needs no row: one is written
-- when the link is revoked or replaced, or when the page is opened.
create table traveller_links (
  -- The order that brought the eSIM.
  order_id bigint primary key references orders (id) on delete cascade,
  -- Part of the signed token. A new link has the next one, and earlier links stop working.
  generation integer not null default 0 check (generation >= 0),
  -- Set: the link of this generation no longer works, and there is no other.
  revoked_at timestamptz,
  -- How often the page was opened, and the installation started from it.
  views bigint not null default 0 check (views >= 0),
  installs_opened bigint not null default 0 check (installs_opened >= 0),
  -- When an install was last counted, so that several processes together count one a minute and link.
  installed_at timestamptz
);

-- Usage ------------------------------------------------------------------------------------------------------------------------------

-- A row is the last usage reading of an eSIM. Never deleted: revenue share settles on it.
create table usage_readings (
  iccid text primary key,
  state text check (state in ('not_active', 'active', 'depleted', 'expired')),
  -- Null: the supplier did not say.
  total_mb integer,
  used_mb integer,
  activated_at timestamptz,
  expires_at timestamptz,
  -- Null: the supplier never answered.
  fetched_at timestamptz,
  -- Until then the reading is served without asking again.
  fresh_until timestamptz not null default '-infinity',
  -- Until then one process is asking the supplier and the others wait for its answer.
  asking_until timestamptz not null default '-infinity',
  -- The order whose eSIM was read, once the reading's state is written there.
  order_id bigint,
  check ((fetched_at is null) = (state is null) and (fetched_at is null) = (used_mb is null))
);

-- For servers of the previous release alone. The next release drops it.
create index readings_not_noted on usage_readings (iccid) where order_id is null and fetched_at is not null;

-- A row is an event of an eSIM that was published, so that each is published once per occasion.
create table esim_events (
  -- The order that brought the eSIM.
  order_id bigint not null,
  event text not null,
  -- The occasion: the number of refills, or the end in seconds; empty: once for the eSIM.
  occasion text not null,
  iccid text not null,
  -- Numbers the event ids of an ICCID, which a supplier may use again.
  n integer not null,
  published_at timestamptz not null,
  primary key (order_id, event, occasion)
);

-- No event id is given out twice.
create unique index esim_events_numbers on esim_events (iccid, event, n);

-- A row is a partner with a new subscription to events of eSIMs, whose earlier eSIMs are still to be watched, from the newest down. A
-- job continues with it.
create table watch_backlog (
  partner_id integer primary key references shared.partners (id),
  -- Orders with a smaller id are still to be processed; 0: all are done.
  before_id bigint not null
);

-- Partners that are not done.
create index watch_backlog_open on watch_backlog (partner_id) where before_id > 0;

-- Revenue share on unused data -------------------------------------------------------------------------------------------------------

-- A row is the share of an order, at most one each, `shadow` until the money has moved. A job calculates it; an operator's settlement
-- pays it.
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
  -- The part of `full_amount` for what was not refunded.
  amount bigint not null check (amount >= 0),
  capped boolean not null,
  status text not null default 'shadow' check (status in ('shadow', 'settled')),
  channel text not null default '',
  settle_debt bigint not null default 0 check (settle_debt >= 0),
  settle_wallet bigint not null default 0 check (settle_wallet >= 0),
  created_at timestamptz not null,
  settled_at timestamptz,
  -- The share of the whole order. Null: calculated before refunds counted, so the audit cannot judge it.
  full_amount bigint,
  -- By partner first: a partner's list is one stretch of the index.
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

-- A partner's list in one state, and those that round to zero.
create index revenue_shares_of_partner_status on revenue_shares (partner_id, status, id);
create index revenue_shares_of_partner_none on revenue_shares (partner_id, id) where channel = 'none';
-- The shares a settlement would pay.
create index revenue_shares_to_settle on revenue_shares (partner_id, id) where status = 'shadow';
-- Paid ones, the latest first.
create index revenue_shares_settled on revenue_shares (settled_at desc, id desc) where status = 'settled';

-- A row is a total of a partner's list, kept in the transaction that changes a share, so it needs no scan however long the list is.
create table revenue_share_totals (
  partner_id integer not null,
  -- `shadow`, or the kind of settled row: money moved (`paid`) or there was none to move (`none`).
  kind text not null check (kind in ('shadow', 'paid', 'none')),
  amount bigint not null,
  unused_mb bigint not null,
  primary key (partner_id, kind)
);

-- Webhooks ---------------------------------------------------------------------------------------------------------------------------
-- Addresses that get events (subscriptions), the log a partner reads (deliveries, attempts), and deliveries still to be sent (queue).
-- Ids are odd in live and even in sandbox, so that a number is unique to an operator.

-- A row is an address that gets events. Partners write it; the worker counts its failures and disables it.
create table webhook_subscriptions (
  id bigint generated always as identity (increment by 2) primary key,
  partner_id integer not null references shared.partners (id),
  url text not null check (length(url) between 1 and 500),
  events text[] not null check (cardinality(events) > 0),
  -- 1 active, 2 paused, 3 disabled after repeated failures.
  status smallint not null default 1 check (status in (1, 2, 3)),
  -- Failed attempts in a row.
  fail_count integer not null default 0,
  -- When it stopped being active; deliveries are held from then on.
  held_since timestamptz check ((held_since is null) = (status = 1)),
  -- Signing secrets, encrypted. The previous one signs too until it expires.
  secret bytea not null,
  secret_last4 text not null check (length(secret_last4) = 4),
  previous_secret bytea,
  previous_secret_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A deleted subscription keeps its row, because the log keeps naming it.
  deleted_at timestamptz,
  -- When the last failure that counted ended. An attempt that began before that overlaps it and does not count again.
  failed_until timestamptz,
  -- A disabled subscription is retried automatically. When; null: a minute after it was disabled, or, after the last retry, never.
  comeback_at timestamptz,
  comeback_tries smallint not null default 0,
  check ((previous_secret is null) = (previous_secret_until is null))
);

-- A partner subscribes an address once.
create unique index webhook_subscriptions_of_partner on webhook_subscriptions (partner_id, url) where deleted_at is null;
-- Read every second for those to retry.
create index webhook_subscriptions_disabled on webhook_subscriptions (id)
  where status = 3 and deleted_at is null;

-- A row is an event for one subscription: the log. Written in the transaction of the change; the worker adds the outcome. Old rows are
-- removed in small batches, so vacuum runs after a twentieth of the table: PostgreSQL's default, a fifth, would leave their space unused
-- for too long. No foreign key to the subscription: rows there are never deleted, and the check would lock one shared row in every
-- purchase.
create table webhook_deliveries (
  id bigint generated always as identity (increment by 2) primary key,
  partner_id integer not null,
  subscription_id bigint not null,
  -- 0: a test event, which belongs to no order.
  order_id bigint not null,
  event_id text not null,
  event_type text not null,
  status text not null default 'pending' check (status in ('pending', 'failed', 'sent', 'dead')),
  attempts smallint not null default 0,
  max_attempts smallint not null,
  http_code smallint,
  duration_ms integer,
  response_body text not null default '',
  error text not null default '',
  sent_at timestamptz,
  created_at timestamptz not null,
  -- The exact body that is signed, encrypted (it can hold an activation credential); null once pruned.
  body bytea,
  -- In real time, even where a test clock is ahead; null for those that died before this was recorded.
  died_at timestamptz,
  -- Dropped on purpose (its subscription was deleted, or the held ones were discarded): dead, but not listed as a dead letter.
  discarded boolean not null default false,
  -- When it was last requeued by hand, in real time. A double click sends it once.
  requeued_at timestamptz,
  -- Attempts that only test whether a disabled receiver works again. They are in the log and do not count towards the limit.
  comeback_tries smallint not null default 0
) with (autovacuum_vacuum_scale_factor = 0.05);

-- Any filter of the log reads a few ranges of one of these two, each already in the order it is shown.
create index webhook_deliveries_of_partner on webhook_deliveries (partner_id, status, event_type, id desc);
create index webhook_deliveries_of_subscription on webhook_deliveries (subscription_id, status, event_type, id desc);
-- The trail of one order shows its deliveries.
create index webhook_deliveries_of_order on webhook_deliveries (order_id) where order_id > 0;
-- Bodies that are to be erased.
create index webhook_deliveries_to_prune on webhook_deliveries (created_at) where body is not null;
-- All dead deliveries, discarded ones too: a metric counts them. It comes before the index of dead letters, because of two that fit
-- equally well the planner takes the younger.
create index webhook_deliveries_dead on webhook_deliveries (died_at desc nulls last, id desc) where status = 'dead';
-- Dead letters, latest first: over all partners; of one partner; and by subscription, to see which receivers have some, how many, and
-- of which event. Deliveries that were sent are not in them and cost them nothing. Those of one partner are ordered by an expression, so
-- that the planner cannot use the index of all for a partner who has a few among millions.
create index webhook_dead_letters on webhook_deliveries (died_at desc nulls last, id desc)
  where status = 'dead' and not discarded;
create index webhook_dead_letters_of_partner on webhook_deliveries
  (partner_id, coalesce(died_at, '-infinity') desc, id desc) where status = 'dead' and not discarded;
create index webhook_dead_letters_of_subscription on webhook_deliveries
  (subscription_id, coalesce(died_at, '-infinity') desc, id desc, event_type) where status = 'dead' and not discarded;

-- A row is an attempt at a delivery: the request and the reply. Written in the statement that records the attempt's outcome, and removed
-- with its delivery. No foreign key: the check would cost a look-up per attempt, and rows are only written under the lock of the
-- delivery's queue row.
create table webhook_attempts (
  delivery_id bigint not null,
  -- Counted from 1; requeueing continues the count. A number is missing where a process died before it recorded the outcome.
  attempt smallint not null,
  -- In the account's own time, like the rest of the log.
  started_at timestamptz not null,
  duration_ms integer not null,
  http_code smallint,
  error text not null,
  -- The headers that differ between attempts; the delivery determines the others. Null if no request was sent.
  sent_timestamp text,
  signature text,
  standard_signature text,
  -- The beginning of the reply: at most 2,000 characters of headers, one to a line, and 4,000 of the body.
  response_headers text not null,
  response_body text not null,
  primary key (delivery_id, attempt)
) with (autovacuum_vacuum_scale_factor = 0.05);

-- A row is a delivery that is still to be sent. A claim moves `due_at` to the end of its lease and counts the attempt, so the rows of a
-- process that dies become due again by themselves.
create table webhook_queue (
  delivery_id bigint primary key,
  subscription_id bigint not null,
  due_at timestamptz not null,
  attempts smallint not null default 0,
  max_attempts smallint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

-- Each subscription is a queue of its own: one that is paused, disabled or busy is skipped, however many rows it holds.
create index webhook_queue_lanes on webhook_queue (subscription_id, due_at, delivery_id);

-- Numbers test events, so that no two share an event_id.
create sequence webhook_test_numbers;

do $$ begin
  if current_schema() = 'sandbox' then
    alter table webhook_subscriptions alter column id restart with 2;
    alter table webhook_deliveries alter column id restart with 2;
  end if;
end $$;

-- Requests ---------------------------------------------------------------------------------------------------------------------------

-- A row is an API call of an account, for its developers to look up. Kept for 7 days, and some 10,000 per account: a job removes the
-- rest. An insert pays for two indexes; every filter reads a part of one account's rows, which are few. In partitions by month, which a
-- job makes and drops.
create table request_log (
  id bigint generated always as identity,
  partner_id integer not null,
  -- When the call arrived, in real time, even where a test clock is ahead.
  at timestamptz not null,
  request_id uuid not null,
  key_id integer not null,
  method text not null,
  endpoint text not null,
  status smallint not null,
  -- The code of a refusal; empty: none.
  error text not null,
  -- The refusal was simulated at the caller's request.
  is_simulated boolean not null,
  duration_ms integer not null,
  address text not null,
  -- The order the call was about, as far as its answer or its fields name one.
  order_id bigint,
  -- What was sent, without secrets: [{"in": "body", "name": …, "value": …}]; null: nothing.
  fields json,
  primary key (partner_id, id, at)
) partition by range (at);

-- A request is looked up by its id alone. The ids of one process count up, so new entries go to the end of its range.
create index request_log_by_request on request_log (request_id);

-- The first partition of each log takes everything up to the end of next month; the job makes the months after that. The default one
-- takes rows for which there is no month, because a clock is wrong or the job did not run.
do $$
declare
  log text;
  until timestamptz := (date_trunc('month', now() at time zone 'utc') + interval '2 months') at time zone 'utc';
begin
  foreach log in array array['request_log', 'supplier_calls'] loop
    execute format('create table %I partition of %I for values from (minvalue) to (%L) with (autovacuum_vacuum_scale_factor = 0.05)',
      log || '_before', log, until);
    execute format('create table %I partition of %I default with (autovacuum_vacuum_scale_factor = 0.05)', log || '_default', log);
  end loop;
end $$;

-- Figures ----------------------------------------------------------------------------------------------------------------------------
-- For charts. A job counts the orders into these tables, so a purchase writes nothing here, and a chart over a year reads some thousand
-- rows instead of a million.

-- A row is a partner's sales in an hour.
create table order_figures (
  partner_id integer not null,
  -- The hour in which the orders were placed, by the account's clock. Their deliveries, failures and refunds count there, too.
  hour timestamptz not null,
  -- Orders that were charged, and purchases that were refused without a charge.
  orders integer not null default 0,
  refused integer not null default 0,
  -- Outcomes. The other orders are still open.
  delivered integer not null default 0,
  failed integer not null default 0,
  -- Cents: charged for the orders, and refunded.
  charged bigint not null default 0,
  returned bigint not null default 0,
  -- From payment to delivery: milliseconds of all delivered orders, and how many took up to a second, up to five, and so on.
  took_ms bigint not null default 0,
  took_1s integer not null default 0,
  took_5s integer not null default 0,
  took_30s integer not null default 0,
  took_2m integer not null default 0,
  took_10m integer not null default 0,
  took_1h integer not null default 0,
  took_longer integer not null default 0,
  primary key (partner_id, hour)
);

-- A row is a partner's sales in a day for a destination.
create table destination_figures (
  partner_id integer not null,
  day date not null,
  -- A country's code or a region's slug.
  destination text not null,
  orders integer not null default 0,
  delivered integer not null default 0,
  failed integer not null default 0,
  charged bigint not null default 0,
  returned bigint not null default 0,
  primary key (partner_id, day, destination)
);

-- A row is an order that was counted while it was open, so that its outcome is still to be counted. Without a reference to the order:
-- checking it would wait for a reset of a sandbox, which waits for the counting.
create table orders_counted_open (
  order_id bigint primary key,
  partner_id integer not null,
  -- The supplier and the cost it was counted with: they may change until it is closed. Null: those it has now.
  supplier text,
  cost_micros bigint
);

-- The only row is the progress of the count.
create table figure_progress (
  only_row boolean primary key default true check (only_row),
  -- Every order and every movement up to these ids is counted.
  orders_to bigint not null default 0,
  movements_to bigint not null default 0,
  -- The end of the next count. Ids up to here may still be committed by the transactions in mark_writers, and by no others.
  mark_orders bigint,
  mark_movements bigint,
  mark_writers text[],
  mark_at timestamptz,
  -- Real time: everything committed before is counted; null: the first count is not finished.
  counted_until timestamptz
);

-- A row is a partner's orders of a plan in a day, for revenue and margin at retail prices. Counted like order_figures.
create table plan_figures (
  partner_id integer not null,
  day date not null,
  -- A plan's id, and the destination it was sold for.
  plan text not null,
  destination text not null,
  orders integer not null default 0,
  charged bigint not null default 0,
  returned bigint not null default 0,
  primary key (partner_id, day, plan, destination)
);

-- As figure_progress, for plan_figures.
create table plan_progress (
  only_row boolean primary key default true check (only_row),
  orders_to bigint not null default 0,
  movements_to bigint not null default 0,
  mark_orders bigint,
  mark_movements bigint,
  mark_writers text[],
  mark_at timestamptz,
  counted_until timestamptz
);

-- A row is the sales of a day by partner, supplier and destination, for operators.
create table sale_figures (
  -- The day in UTC on which the orders were placed. Their deliveries, failures and refunds count there, too.
  day date not null,
  partner_id integer not null,
  supplier text not null,
  -- A country's code or a region's slug.
  destination text not null,
  -- As in order_figures.
  orders integer not null default 0,
  refused integer not null default 0,
  delivered integer not null default 0,
  failed integer not null default 0,
  charged bigint not null default 0,
  returned bigint not null default 0,
  -- The same for orders whose cost is known, and their cost in micros: the supplier's own charge where it says one, else the cost at
  -- the time of the purchase. A failed order costs nothing.
  costed integer not null default 0,
  costed_charged bigint not null default 0,
  costed_returned bigint not null default 0,
  cost_micros bigint not null default 0,
  -- As in order_figures.
  took_ms bigint not null default 0,
  took_1s integer not null default 0,
  took_5s integer not null default 0,
  took_30s integer not null default 0,
  took_2m integer not null default 0,
  took_10m integer not null default 0,
  took_1h integer not null default 0,
  took_longer integer not null default 0,
  primary key (day, partner_id, supplier, destination)
)
-- Partners are ranked for a destination by an index alone, which needs pages that vacuum has seen.
with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

create index sale_figures_of_destination on sale_figures (destination, day, partner_id) include (supplier, orders);

-- Sums over sale_figures, so that a year of all partners takes some hundred rows. The job that counts makes them, a day at a time.

-- A row is a day with changes since its sums were made.
create table sale_days_changed (
  day date primary key
);

-- A row is the sales of all partners together in a day; an empty supplier or destination: all of them.
create table sale_day_sums (
  day date not null,
  supplier text not null,
  destination text not null,
  -- As in sale_figures.
  orders bigint not null,
  refused bigint not null,
  delivered bigint not null,
  failed bigint not null,
  charged bigint not null,
  returned bigint not null,
  costed bigint not null,
  costed_charged bigint not null,
  costed_returned bigint not null,
  cost_micros bigint not null,
  took_ms bigint not null,
  took_1s bigint not null,
  took_5s bigint not null,
  took_30s bigint not null,
  took_2m bigint not null,
  took_10m bigint not null,
  took_1h bigint not null,
  took_longer bigint not null,
  primary key (day, destination, supplier)
);

-- A row is the sum of all sales of a partner and a supplier before a Monday; an empty supplier: of all of them. The sales between two
-- Mondays are the difference.
create table sale_running_sums (
  monday date not null,
  partner_id integer not null,
  supplier text not null,
  -- Rows of sale_figures.
  counted bigint not null,
  -- As in sale_figures.
  orders bigint not null,
  refused bigint not null,
  delivered bigint not null,
  failed bigint not null,
  charged bigint not null,
  returned bigint not null,
  costed bigint not null,
  costed_charged bigint not null,
  costed_returned bigint not null,
  cost_micros bigint not null,
  took_ms bigint not null,
  primary key (monday, supplier, partner_id)
);

-- A row is the turnover of a ledger account in a month.
create table ledger_figures (
  -- The first day of the month in UTC in which the movements were made.
  month date not null,
  account text not null,
  -- Cents.
  debits bigint not null default 0,
  credits bigint not null default 0,
  primary key (month, account)
);

-- As orders_counted_open and figure_progress, for sale_figures and ledger_figures.
create table sales_counted_open (
  order_id bigint primary key,
  partner_id integer not null,
  supplier text,
  cost_micros bigint
);

create table sale_progress (
  only_row boolean primary key default true check (only_row),
  orders_to bigint not null default 0,
  movements_to bigint not null default 0,
  mark_orders bigint,
  mark_movements bigint,
  mark_writers text[],
  mark_at timestamptz,
  counted_until timestamptz,
  -- The last Monday that has running sums; null: none has.
  running_to date
);

-- A row counts a partner's API requests in an hour, by endpoint and status. The requests themselves are kept for days only.
create table request_figures (
  partner_id integer not null,
  -- Real time: the test clock does not change when a request was made.
  hour timestamptz not null,
  endpoint text not null,
  status smallint not null,
  requests integer not null,
  primary key (partner_id, hour, endpoint, status)
);

-- Test clocks ------------------------------------------------------------------------------------------------------------------------

-- A row is how far an account's time is ahead of the real time. Partners set it, in the sandbox only: a trigger refuses it in live.
create table account_clocks (
  partner_id integer primary key references shared.partners (id),
  ahead interval not null check (ahead > interval '0' and ahead <= interval '730 days')
);

create function refuse_clock() returns trigger language plpgsql as $$
begin
  if tg_table_schema <> 'sandbox' then
    raise exception 'only sandbox time can be turned' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger account_clocks_sandbox_only before insert or update on account_clocks
  for each row execute function refuse_clock();
-- Every process keeps the clock in memory with the account's keys.
create trigger account_clocks_turned after insert or update or delete on account_clocks
  for each statement execute function shared.notify_accounts();
