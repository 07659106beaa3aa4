-- Invoices and credit notes. What they say is derived from the ledger (domains/billing/invoices/invoices.ts explains how).

-- The counter of each year of issue, taken in the transaction that issues, so that numbers have no gaps. `forgotten` are documents that a
-- reset of a sandbox account deleted.
create table invoice_numbers (
  year integer primary key,
  last integer not null,
  forgotten integer not null default 0
);

-- From which month on the job closes months: all of them in a new database, the current one in a database that has sold before.
create table invoice_start (
  only_row boolean primary key default true check (only_row),
  month date not null
);
insert into invoice_start (month)
select case when exists (select from movements) then date_trunc('month', now() at time zone 'UTC')::date else date '2000-01-01' end;

-- A row is a partner whose months are closed. Whoever closes a month of the partner's or settles its invoices locks it.
create table invoice_accounts (
  partner_id integer primary key references wallets (partner_id),
  -- Months before this one were looked through.
  month date not null,
  -- Set: a month could not be closed, because a setting of the seller is missing. When it is tried again, in real time.
  due_at timestamptz,
  waits_for text not null default '',
  -- What settles orders that are on no invoice: less than zero, the debt there was when invoices began. `opening_line` was its last line.
  opening bigint not null default 0,
  opening_line bigint not null default 0,
  -- Lines of the debt from there up to this one count in `paid`: payments and whatever else lowered the debt, less what raised it.
  debt_lines bigint not null default 0,
  paid bigint not null default 0
);

-- A row is a month of a partner's that was closed. Its lines of the ledger are those of the month, up to the last that was written when
-- it was closed, and those that came too late for their own month: after the lines of the closing before this one.
create table invoice_closings (
  id bigint generated always as identity primary key,
  partner_id integer not null references invoice_accounts (partner_id),
  month date not null,
  wallet_from bigint not null,
  wallet_to bigint not null,
  debt_from bigint not null,
  debt_to bigint not null,
  closed_at timestamptz not null,
  unique (partner_id, month)
);

-- How documents look: kept, so that the PDF of an issued one never changes.
create table invoice_looks (
  id integer generated always as identity primary key,
  digest bytea not null unique,
  name text not null,
  color text,
  logo_type text,
  logo bytea
);

-- A row is an issued document, and never changes.
create table invoices (
  id bigint generated always as identity primary key,
  partner_id integer not null references invoice_accounts (partner_id),
  number text collate "C" not null unique,
  year integer not null,
  sequence integer not null check (sequence > 0),
  kind text not null check (kind in ('invoice', 'credit_note')),
  month date not null,
  issued_at timestamptz not null,
  -- Null: nothing of it is on credit terms.
  due_at timestamptz,
  seller jsonb not null,
  buyer jsonb not null,
  tax_category text not null check (tax_category in ('S', 'AE', 'O')),
  tax_rate numeric(5, 2) not null,
  net bigint not null,
  tax bigint not null,
  total bigint not null check (total = net + tax),
  -- The part that was charged on credit terms; the rest was paid from the balance.
  on_terms bigint not null,
  -- Of a credit note: the invoice it belongs to, and whether it voids it.
  credits bigint references invoices (id),
  voids boolean not null default false,
  reason text not null default '',
  text text not null default '',
  look_id integer not null references invoice_looks (id),
  unique (year, sequence),
  check ((kind = 'credit_note') = (credits is not null))
);
create index invoices_of_partner on invoices (partner_id, id desc);
create index invoices_of_month on invoices (partner_id, month, id) where kind = 'invoice';
create unique index invoices_voided_once on invoices (credits) where voids;
create index invoices_credits on invoices (credits) where credits is not null;

create table invoice_lines (
  invoice_id bigint not null references invoices (id),
  line integer not null,
  description text not null,
  quantity integer not null,
  unit_price bigint not null,
  amount bigint not null check (amount = quantity * unit_price),
  primary key (invoice_id, line)
);

-- What becomes of a document: the only part that changes.
create table invoice_states (
  invoice_id bigint primary key references invoices (id),
  partner_id integer not null,
  -- Of an invoice. Null: a credit note, or an invoice that was voided.
  standing_month date,
  status text not null check (status in ('open', 'paid', 'overdue', 'void')),
  -- What was paid of the part on credit terms.
  settled bigint not null default 0,
  -- How many reminders were due so far.
  reminded smallint not null default 0,
  -- How often these events were sent, for their numbers.
  paid_events smallint not null default 0,
  overdue_events smallint not null default 0,
  -- When it is next looked at; null: it is settled.
  next_at timestamptz
);
-- A month has at most one invoice that stands, however many processes close it.
create unique index invoice_states_standing on invoice_states (partner_id, standing_month) where standing_month is not null;
create index invoice_states_due on invoice_states (next_at) where next_at is not null;
create index invoice_states_by_status on invoice_states (status, invoice_id desc);

create trigger invoices_append_only before update or delete on invoices for each row execute function refuse_rewrite();
create trigger invoices_no_truncate before truncate on invoices for each statement execute function refuse_rewrite();
create trigger invoice_lines_append_only before update or delete on invoice_lines for each row execute function refuse_rewrite();
create trigger invoice_lines_no_truncate before truncate on invoice_lines for each statement execute function refuse_rewrite();

-- Invoices are overdue for so long that purchases are refused until they are paid.
alter table wallets add column is_overdue boolean not null default false;
