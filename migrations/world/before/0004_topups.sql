-- Top-ups by card. The row is written before a payment provider is asked for anything, so no payment is ever without one.

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
  -- Paid, but not what was asked for: never credited, an operator looks at it.
  mismatch text,
  -- What the provider sent back to the card holder, or the holder's bank took, after the credit.
  refunded bigint not null default 0 check (refunded >= 0),
  disputed bigint not null default 0 check (disputed >= 0),
  -- How much of that has been taken from the wallet again. The rest is open.
  recovered bigint not null default 0 check (recovered >= 0),
  -- Counts what was written of the provider's words, so that words read before the last ones are recognised as old.
  revision integer not null default 0,
  -- When the provider is next asked how the payment stands; null: nothing is expected to change.
  check_due_at timestamptz,
  created_at timestamptz not null,
  closed_at timestamptz,
  -- Money only comes back from a top-up that was credited, and never more of it than that.
  check (recovered = 0 or status = 'succeeded'),
  check (recovered <= amount)
);

create unique index topups_by_intent on topups (provider, intent_id) where intent_id is not null;
create index topups_to_check on topups (check_due_at) where check_due_at is not null;
create index topups_of_partner on topups (partner_id, id desc);
-- What an operator lists: unpaid ones, and those with money gone back or a payment that does not match.
create index topups_open on topups (id desc) where status = 'requires_payment';
create index topups_disputed on topups (id desc) where refunded + disputed > 0 or mismatch is not null;

-- The book of the simulated card provider, which keeps it as an outside provider would keep its own.
create table simulated_intents (
  id text collate "C" primary key,
  payment_key text collate "C" not null unique,
  client_secret text collate "C" not null unique,
  amount bigint not null check (amount > 0),
  currency text not null,
  state text not null default 'open' check (state in ('open', 'succeeded', 'canceled'))
);
