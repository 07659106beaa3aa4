-- A row is what is known of an eSIM on the phone, and whether its service was suspended. No row: nothing is known. A null is a part
-- that no supplier has told. It goes with its order, when a sandbox is reset.
create table esim_profiles (
  -- The order that brought the eSIM.
  order_id bigint primary key references orders (id) on delete cascade,
  partner_id integer not null,
  iccid text not null,
  state text check (state in ('released', 'downloaded', 'installed', 'enabled', 'disabled', 'deleted', 'unknown')),
  brand text,
  model text,
  -- Where it was last seen, and when.
  country text,
  seen_at timestamptz,
  -- How often it was seen in another country, was removed from the phone, and was suspended or resumed: each is published once.
  country_changes integer not null default 0,
  removals integer not null default 0,
  switches integer not null default 0,
  -- Null: it is not suspended.
  suspended_at timestamptz,
  -- Until then one process is suspending or resuming it at the supplier, and the others wait. In the past: that may not have ended, so the
  -- supplier is asked again whatever `suspended_at` says. Null: nothing is under way.
  switching_until timestamptz,
  updated_at timestamptz not null
);

-- Calls that suspend and resume are recorded, too.
alter table supplier_calls drop constraint supplier_calls_operation_check;
alter table supplier_calls add constraint supplier_calls_operation_check
  check (operation in ('order', 'find', 'withdraw', 'suspend', 'resume')) not valid;

-- The suspended eSIMs of a partner. They are few.
create index esim_profiles_suspended on esim_profiles (partner_id, order_id desc) where suspended_at is not null;
