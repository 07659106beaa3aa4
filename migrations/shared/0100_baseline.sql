-- What both worlds share: partners and their keys, the catalog and its prices, the people who sign in, and what the operators of this
-- installation need. The worlds' roles may read it, except what is about people (`OWNER_ONLY` in src/db/rights.ts).
--
-- This file and those in before/ make the same schema; a test compares them (test/db/baseline.test.ts). Neither is edited any more:
-- a change is a new file, from 0101 on.

-- Partners and their keys ------------------------------------------------------------------------------------------------------------

-- A row is a company that resells eSIMs. Operators write it.
create table partners (
  id integer generated always as identity primary key,
  name text not null check (name <> ''),
  email text not null check (email <> ''),
  disabled boolean not null default false,
  -- Custom share of the margin; null: the share tier decides.
  margin_share_pct numeric(5, 2) check (margin_share_pct between 0 and 100),
  -- Agreed revenue share on unused data; null: off.
  revenue_share_pct numeric(5, 2) check (revenue_share_pct between 0 and 100),
  created_at timestamptz not null default now(),
  -- A closed account keeps its rows: money and orders stay provable.
  deleted_at timestamptz
);

-- A row is an API key of a partner, which decides the world its calls work in. Operators and members write it; use is recorded by the
-- processes that meet the key.
create table api_keys (
  id integer generated always as identity primary key,
  partner_id integer not null references partners (id),
  mode text not null check (mode in ('live', 'sandbox')),
  -- SHA-256 of the key; the key itself is shown once and never stored.
  hash bytea not null unique check (length(hash) = 32),
  last4 text not null check (length(last4) = 4),
  allow_list text[] not null default '{}',
  -- Ceilings an operator set for this key: {"purchase": 600}.
  tier_ceilings jsonb not null default '{}',
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  -- The last address that the allow list refused.
  refused_address text,
  refused_at timestamptz,
  -- What the partner calls it, and wants to remember about it.
  name text not null default '',
  note text not null default '',
  -- Cents that agents may spend with it. Without a limit they can only read. The API itself has no such limit.
  spending_limit bigint check (spending_limit > 0),
  spending_period text check (spending_period in ('day', 'month', 'total')),
  constraint api_keys_spending_check check ((spending_limit is null) = (spending_period is null))
);

-- The keys of a partner that work.
create index api_keys_of_partner on api_keys (partner_id, mode) where revoked_at is null;
-- The panel lists all of a partner's keys, newest first, the revoked ones among them.
create index api_keys_of_partner_by_age on api_keys (partner_id, id desc);

-- A row is a purchase that an agent confirmed, written before it is charged: while it is here it counts towards the key's limit.
create table agent_purchases (
  -- The idempotency key of the purchase.
  id text primary key,
  key_id integer not null references api_keys (id),
  cents bigint not null check (cents > 0),
  made_at timestamptz not null,
  -- One call at a time works on it, until then; null: none does.
  claimed_until timestamptz,
  -- It was charged. Otherwise it may have been: whether an order has its key tells.
  is_settled boolean not null default false
);

-- What a key has spent in a period.
create index agent_purchases_of_key on agent_purchases (key_id, made_at);
-- Purchases whose outcome is still to be looked up.
create index agent_purchases_open on agent_purchases (key_id) where not is_settled;

-- A row is what the page a traveller opens carries of the partner. Members write it. Empty texts and nulls: not set.
create table brands (
  partner_id integer primary key references partners (id),
  display_name text not null default '',
  color text check (color ~ '^#[0-9a-f]{6}$'),
  support_url text not null default '',
  -- As we rebuilt it, never as it was uploaded.
  logo bytea check (octet_length(logo) <= 102400),
  logo_type text check (logo_type in ('image/png', 'image/svg+xml')),
  check ((logo is null) = (logo_type is null))
);

-- Every process keeps keys and partners in memory; a change tells them what to forget. Columns that only record use
-- (last_used_at, refused_*) are not listed, so the warm path stays silent.
create function notify_accounts() returns trigger language plpgsql as $$
begin
  perform pg_notify('wayfare_accounts', '');
  return null;
end $$;

create trigger partners_changed after insert or delete or update of disabled, deleted_at, margin_share_pct, revenue_share_pct
  on partners for each statement execute function notify_accounts();
create trigger api_keys_changed after insert or delete or update of allow_list, tier_ceilings, expires_at, revoked_at
  on api_keys for each statement execute function notify_accounts();

-- The catalog: what is sold ----------------------------------------------------------------------------------------------------------

-- A row is a country, a region or the whole world. Imports write it.
create table destinations (
  -- ISO code in upper case, or a region's slug: no code is also another destination's slug.
  code text primary key,
  scope text not null check (scope in ('country', 'regional', 'global')),
  title text not null check (title <> ''),
  slug text not null unique check (slug ~ '^[a-z0-9-]{3,40}$'),
  -- The region a country belongs to.
  region text references destinations (code),
  continent text not null default '',
  check (case scope when 'country' then code ~ '^[A-Z]{2}$' else code = slug and region is null end)
);

-- A row is a supplier of eSIMs. Imports write it; operators set its markup, and the worker what it says of our balance.
create table suppliers (
  id integer generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9-]{2,40}$'),
  title text not null check (title <> ''),
  -- The adapter that talks to it.
  kind text not null check (kind in ('simulated', 'airalo', 'esim_access')),
  imported_at timestamptz,
  -- List prices of its plans are their cost and this much on top, except those set by hand. Null: as the supplier's list has them.
  markup_pct numeric(6, 2) check (markup_pct between 0 and 1000),
  -- What is left of our balance at the supplier, in micros, and when it said so. `balance_asked_at`: when a worker last asked.
  balance_micros bigint,
  balance_at timestamptz,
  balance_asked_at timestamptz
);

-- A row is a mobile network as a supplier describes it, each description once: {title, image, meta}. Imports write it.
create table networks (
  id integer generated always as identity primary key,
  details jsonb not null
);

create unique index networks_once on networks (md5(details::text));

-- The name that servers of 0.1.0 read and write networks by. The release after drops it.
create view operators as select id, details from networks;

-- A row is a plan that a supplier sells to us. Imports and operators write it. It is never deleted, because orders and rules name it:
-- what a supplier no longer lists goes off sale.
create table plans (
  id integer generated always as identity primary key,
  alias text not null unique check (alias ~ '^esc_[0-9a-f]{16}$'),
  supplier_id integer not null references suppliers (id),
  supplier_plan text not null check (supplier_plan <> ''),
  destination text not null references destinations (code),
  -- The network. The contract calls it the operator.
  operator_id integer not null references networks (id),
  title text not null check (title <> ''),
  amount_mb integer not null check (amount_mb between 0 and 10485760),
  day integer not null check (day between 1 and 3650),
  is_unlimited boolean not null,
  network_type text not null check (network_type in ('4G', '5G')),
  -- Cents; 0: no sellable price.
  list_price bigint not null check (list_price between 0 and 10000000),
  -- Wholesale cost in micros; null: unknown.
  cost bigint check (cost between 0 and 100000000000),
  is_usage_metered boolean not null,
  fup_kind text not null,
  fup_daily_mb integer not null check (fup_daily_mb >= 0),
  fup_speed_kbps integer not null check (fup_speed_kbps >= 0),
  fair_use_text text not null,
  voice integer check (voice >= 0),
  text integer check (text >= 0),
  short_info text,
  coverage text[] not null check (cardinality(coverage) > 0),
  on_sale boolean not null,
  -- What an operator has set by hand, which imports leave alone.
  price_by_hand boolean not null default false,
  cost_by_hand boolean not null default false,
  on_sale_by_hand boolean not null default false,
  -- A refill is added to an eSIM that exists and is never sold as one: its supplier's codes of the plans it can be added to.
  -- Null: the plan is an eSIM.
  refills jsonb,
  unique (supplier_id, supplier_plan),
  check (is_unlimited = (amount_mb = 0))
);

-- A row is an import of a supplier's list: who made it, and what it changed or why it failed.
create table catalog_imports (
  id bigint generated always as identity primary key,
  -- Its slug. A supplier whose first import failed has no row of its own yet.
  supplier text not null,
  who text not null,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  -- Null: nothing was imported.
  counts jsonb,
  error text,
  check ((counts is null) <> (error is null))
);

-- The imports of one supplier, newest first.
create index catalog_imports_of_supplier on catalog_imports (supplier, id desc);

-- A row is when the worker may next import a supplier's list by itself. A claim moves `not_before` to the end of its lease, so several
-- workers import a list once, and a list whose worker died is imported by another.
create table catalog_syncs (
  supplier text primary key,
  not_before timestamptz not null,
  succeeded_at timestamptz,
  -- In a row.
  failures integer not null default 0
);

-- Every process keeps the catalog in memory and reads it again when it hears of a change.
create function notify_catalog() returns trigger language plpgsql as $$
begin
  perform pg_notify('wayfare_catalog', '');
  return null;
end $$;

create trigger destinations_changed after insert or update or delete on destinations
  for each statement execute function notify_catalog();
create trigger suppliers_changed after insert or delete or update of slug, title, kind on suppliers
  for each statement execute function notify_catalog();
create trigger networks_changed after update on networks for each statement execute function notify_catalog();
create trigger plans_changed after insert or update or delete on plans
  for each statement execute function notify_catalog();

-- States of the catalog --------------------------------------------------------------------------------------------------------------
-- What was different before each state: `catalog/changes` answers a partner with what changed since the state it has. Triggers write
-- it, so no way to change the catalog can leave it out. What a Product row shows of plans and destinations is in here; what sets its
-- prices is in `price_contracts`.

-- A row is a state. A transaction that changes the catalog makes one.
create table catalog_states (
  -- In the order in which states became visible (`next_catalog_state`).
  id bigint generated always as identity primary key,
  -- After a restore from a backup numbers are given out a second time; with the token, only the state that was meant is found.
  token text not null default left(replace(gen_random_uuid()::text, '-', ''), 8),
  at timestamptz not null default now()
);

-- The empty catalog.
insert into catalog_states default values;

-- A row is a plan as it was before a state.
create table plan_changes (
  plan_id integer not null,
  state bigint not null,
  -- A plan that did not exist was not on sale.
  on_sale boolean not null,
  list_price bigint not null,
  cost bigint,
  -- The whole row; null when nothing else that matters was different. Most changes are a new cost or price.
  before jsonb,
  primary key (plan_id, state)
);

-- What changed since a state.
create index plan_changes_by_state on plan_changes (state, plan_id);

-- A row is a destination as it was before a state; null: it did not exist.
create table destination_changes (
  state bigint not null,
  code text not null,
  before jsonb,
  primary key (state, code)
);

-- The state this transaction makes. Until it ends, no other transaction makes one (the lock is `PLANS_LOCK`): a state that is
-- visible has every earlier one behind it, so a reader of state 7 never misses a state 6 that was committed later.
create function next_catalog_state() returns bigint language plpgsql as $$
declare
  state bigint;
begin
  perform pg_advisory_xact_lock(7203913);
  select id into state from shared.catalog_states
    where id = (select max(id) from shared.catalog_states) and xmin = pg_current_xact_id()::xid;
  if state is null then
    insert into shared.catalog_states default values returning id into state;
  end if;
  return state;
end $$;

create function log_new_plans() returns trigger language plpgsql as $$
begin
  if exists (select from added) then
    insert into shared.plan_changes (plan_id, state, on_sale, list_price)
      select added.id, made.state, false, 0 from added, (select shared.next_catalog_state() as state offset 0) as made;
  end if;
  return null;
end $$;

-- Left out: what neither a Product row nor its price depends on. A column that is added later counts.
-- The plan of a function is made at its first call, often for no row at all: nested loops would be right then and ruinous later.
create function log_changed_plans() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  hidden constant text[] := '{supplier_plan,voice,text,short_info,price_by_hand,cost_by_hand,on_sale_by_hand}';
  terms constant text[] := '{on_sale,list_price,cost}';
begin
  if not exists (select from was) then
    return null;
  end if;
  with both_rows as materialized (
    select was, to_jsonb(was) - hidden as before, to_jsonb(became) - hidden as after
    from was join became on became.id = was.id
  ), changed as materialized (
    select (was).id, (was).on_sale, (was).list_price, (was).cost,
      case when before - terms is distinct from after - terms then to_jsonb(was) end as before
    from both_rows where before is distinct from after
  ), made as materialized (
    select shared.next_catalog_state() as state where exists (select from changed)
  )
  insert into shared.plan_changes (plan_id, state, on_sale, list_price, cost, before)
  select changed.id, made.state, changed.on_sale, changed.list_price, changed.cost, changed.before from changed, made
  -- Changed twice in one transaction: the first time has the plan as it was.
  on conflict (plan_id, state) do update set before = coalesce(plan_changes.before, excluded.before);
  return null;
end $$;

create function log_new_destinations() returns trigger language plpgsql as $$
begin
  if exists (select from added) then
    insert into shared.destination_changes (state, code)
      select made.state, added.code from added, (select shared.next_catalog_state() as state offset 0) as made
    on conflict do nothing;
  end if;
  return null;
end $$;

create function log_changed_destinations() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  with changed as materialized (
    select was.code, to_jsonb(was) as before from was join became on became.code = was.code
    where to_jsonb(was) is distinct from to_jsonb(became)
  ), made as materialized (
    select shared.next_catalog_state() as state where exists (select from changed)
  )
  insert into shared.destination_changes (state, code, before)
  select made.state, changed.code, changed.before from changed, made
  on conflict do nothing;
  return null;
end $$;

-- For what the program never does and a person with SQL might: earlier states can no longer be told from this one, so their
-- versions end.
create function forget_catalog_states() returns trigger language plpgsql as $$
declare
  latest constant bigint := shared.next_catalog_state();
begin
  delete from shared.catalog_states where id < latest;
  return null;
end $$;

create trigger plans_added after insert on plans referencing new table as added
  for each statement execute function log_new_plans();
create trigger plans_rewritten after update on plans referencing old table as was new table as became
  for each statement execute function log_changed_plans();
create trigger destinations_added after insert on destinations referencing new table as added
  for each statement execute function log_new_destinations();
create trigger destinations_rewritten after update on destinations referencing old table as was new table as became
  for each statement execute function log_changed_destinations();
create trigger plans_deleted after delete on plans for each statement execute function forget_catalog_states();
create trigger destinations_deleted after delete on destinations
  for each statement execute function forget_catalog_states();
create trigger networks_rewritten after update or delete on networks
  for each statement execute function forget_catalog_states();
create trigger suppliers_renamed after update of slug on suppliers
  for each statement execute function forget_catalog_states();

-- Prices -----------------------------------------------------------------------------------------------------------------------------

-- A row is a rule. Operators write it. A product rule fixes a price, every other one shares the margin. Null partner: it applies to
-- every partner.
create table pricing_rules (
  id integer generated always as identity primary key,
  partner_id integer references partners (id),
  scope text not null check (scope in ('product', 'provider', 'country', 'region')),
  -- Product alias, supplier slug, country code or region slug.
  target text not null,
  share_pct numeric(5, 2) check (share_pct between 0 and 100),
  -- Cents.
  price bigint check (price >= 0),
  created_at timestamptz not null default now(),
  check (case scope when 'product' then price is not null and share_pct is null
    else share_pct is not null and price is null end),
  unique nulls not distinct (partner_id, scope, target)
);

-- A row is what set the prices of a partner when it was given a version of the catalog: its rules and the general ones, its share and
-- the cap. Whoever answers with a version writes it.
create table price_contracts (
  partner_id integer not null references partners (id),
  -- A hash of all that follows.
  contract text not null,
  general_rules text not null,
  own_rules text not null,
  -- In hundredths of a percent.
  cap bigint not null,
  share bigint not null,
  source text not null check (source in ('account_default', 'none')),
  -- When a version last named it, to the day.
  seen_at timestamptz not null,
  primary key (partner_id, contract)
);

-- Those that no version has named for long are removed.
create index price_contracts_by_age on price_contracts (seen_at);

-- A row is a setting that operators change while the program runs, or something the installation must remember once.
create table settings (
  name text primary key,
  value jsonb not null
);

-- Every process keeps the rules in memory and reads them again when it hears of a change.
create function notify_pricing() returns trigger language plpgsql as $$
begin
  perform pg_notify('wayfare_pricing', '');
  return null;
end $$;

create trigger pricing_rules_changed after insert or update or delete on pricing_rules
  for each statement execute function notify_pricing();
create trigger settings_changed after insert or update on settings
  for each row when (new.name in ('total_share_cap_pct', 'share_tiers')) execute function notify_pricing();

-- People of partners, who sign in to the panel ---------------------------------------------------------------------------------------
-- Only the owner's connection reads these tables.

-- A row is a person with a password. Written when an invitation is accepted.
create table people (
  id integer generated always as identity primary key,
  email text not null check (email <> ''),
  -- scrypt with its parameters and salt.
  password_hash text not null
);

-- Not unique. Whoever holds an invitation sets its password, and nothing proves that the address is theirs: were an address one
-- person everywhere, a partner could take it by inviting it first, or learn from a refusal that another partner knows it.
create index people_by_email on people (lower(email));

-- A row is one person's place at one partner. Members and operators invite and remove them.
create table members (
  id integer generated always as identity primary key,
  partner_id integer not null references partners (id),
  email text not null check (email <> ''),
  invited_at timestamptz not null,
  last_sign_in_at timestamptz,
  -- Null until the invitation is accepted.
  person_id integer references people (id),
  -- What they may do in the panel.
  role text not null default 'owner' check (role in ('owner', 'developer', 'finance', 'read-only'))
);

-- One address, one member of a partner, however it is capitalised.
create unique index members_by_email on members (partner_id, lower(email));
-- The list of a partner's members.
create index members_of_partner on members (partner_id, id);
-- The partners a person belongs to.
create index members_of_person on members (person_id, id);

-- A row is the one-time link of a member: one each, so that a new link ends the one before it.
create table member_links (
  member_id integer primary key references members (id) on delete cascade,
  -- SHA-256 of the token; the token itself is shown once and never stored.
  hash bytea not null unique check (length(hash) = 32),
  expires_at timestamptz not null,
  used_at timestamptz
);

-- A row is a browser in which a member is signed in.
create table sessions (
  -- SHA-256 of the cookie's token.
  hash bytea primary key check (length(hash) = 32),
  member_id integer not null references members (id) on delete cascade,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  -- What the list of sessions calls it; the hash stays in the database.
  id bigint generated always as identity,
  address text not null default '',
  user_agent text not null default '',
  -- When the password (and the second factor) was last given in this session; null: not since it is recorded.
  confirmed_at timestamptz
);

-- The sessions of a member, to list and to end them.
create index sessions_of_member on sessions (member_id);

-- A row is a person's second factor. They write it themselves.
create table second_factors (
  id integer generated always as identity primary key,
  person_id integer not null unique references people (id) on delete cascade,
  -- The authenticator app's key, sealed.
  secret bytea not null,
  -- Null while it is being set up: it is not asked for yet.
  on_since timestamptz,
  -- The latest 30-second step of which a code was accepted. That code and older ones are not accepted again.
  last_step bigint not null default 0,
  -- SHA-256 of each recovery code that was not used yet.
  recovery_hashes bytea[] not null default '{}'
);

-- A row is a network of the internet that a person has signed in from: failures elsewhere do not lock them out there.
create table sign_in_places (
  source text not null,
  last_at timestamptz not null,
  person_id integer not null references people (id) on delete cascade,
  primary key (person_id, source)
);

-- A row counts failed sign-ins, of members and operators, in a window that begins with the first.
create table sign_in_failures (
  -- SHA-256 of what they are counted by: whatever was typed as an e-mail address is not kept.
  subject bytea primary key check (length(subject) = 32),
  failures integer not null check (failures >= 0),
  since timestamptz not null
);

-- Windows that are over are removed.
create index sign_in_failures_by_age on sign_in_failures (since);

-- A row is an address typed at "Forgot your password?". A job answers them, so that the page takes the same time for known and
-- unknown ones.
create table password_requests (
  id bigint generated always as identity primary key,
  email text not null,
  created_at timestamptz not null
);

-- Operators, who run the service and sign in to the console --------------------------------------------------------------------------
-- They are not members of partners: other tables, another cookie, other addresses. Only the owner's connection reads these tables.

-- A row is an operator. Other operators, or the command line, write it.
create table staff (
  id integer generated always as identity primary key,
  email text not null,
  role text not null check (role in ('admin', 'finance', 'support', 'read-only')),
  -- Null until the invitation is accepted.
  password_hash text,
  created_at timestamptz not null,
  last_sign_in_at timestamptz
);

-- One address, one operator, however it is capitalised.
create unique index staff_by_email on staff (lower(email));

-- As member_links: an invitation, or a way back in.
create table staff_links (
  operator_id integer primary key references staff on delete cascade,
  hash bytea not null unique,
  expires_at timestamptz not null,
  used_at timestamptz
);

-- As sessions.
create table staff_sessions (
  id bigint generated always as identity primary key,
  hash bytea not null unique,
  operator_id integer not null references staff on delete cascade,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  -- When password and second factor were last given.
  confirmed_at timestamptz,
  address text not null default '',
  user_agent text not null default ''
);

-- The sessions of an operator, to list and to end them.
create index staff_sessions_of_operator on staff_sessions (operator_id);

-- As second_factors: the same code works on both.
create table staff_second_factors (
  id integer generated always as identity primary key,
  operator_id integer not null unique references staff on delete cascade,
  secret bytea not null,
  on_since timestamptz,
  last_step bigint not null default 0,
  recovery_hashes bytea[] not null default '{}'
);

-- As sign_in_places.
create table staff_places (
  operator_id integer not null references staff on delete cascade,
  source text not null,
  last_at timestamptz not null,
  primary key (operator_id, source)
);

-- A row lets an operator see a partner's panel, read-only and for a short time. It ends with the operator's session.
create table staff_views (
  hash bytea primary key,
  session_id bigint not null references staff_sessions on delete cascade,
  partner_id integer not null references partners on delete cascade,
  expires_at timestamptz not null
);

-- Both are for the cascades.
create index staff_views_of_session on staff_views (session_id);
create index staff_views_of_partner on staff_views (partner_id);

-- What people did --------------------------------------------------------------------------------------------------------------------

-- A row is a change that a person made, with what was before and after. Written in the transaction of the change.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  who text not null,
  what text not null,
  target text not null,
  before jsonb,
  after jsonb,
  -- Whose activity it is, too; null: it is about no partner.
  partner_id integer
);

-- Newest first: what was done to one thing, by one person, or both.
create index audit_log_of_target on audit_log (target, at desc, id desc);
create index audit_log_by_who on audit_log (who, at desc, id desc);
create index audit_log_of_target_by_who on audit_log (target, who, at desc, id desc);
-- By kind of change, of one person or, hopping from one to the next, of all.
create index audit_log_by_what on audit_log (what, who, at desc, id desc);
-- The activity of a partner.
create index audit_log_of_partner on audit_log (partner_id, id desc) where partner_id is not null;

-- A row is a step of what somebody asked for under a key of their own, so that asking again changes nothing and is answered as the
-- first time. Step 0 is the action itself, with its answer once it has one. Each transaction it makes adds a step, in that same
-- transaction. Only the owner's connection reads it.
create table action_keys (
  id bigint generated always as identity primary key,
  -- Whose key it is: `member:7`, `operator:3`, or `command line`.
  scope text not null,
  key text not null,
  step integer not null,
  action text not null,
  -- Those about money are kept for good.
  is_money boolean not null,
  created_at timestamptz not null,
  -- While it runs: until when it is its process's. Past that, the process has died and a repeat goes on with it.
  claimed_until timestamptz,
  -- What was asked for and what came of it; answers can hold a secret that is shown once.
  sealed bytea,
  unique (scope, key, step)
);

-- Those that are not kept for good are removed by age.
create index action_keys_passing on action_keys (created_at) where not is_money;

-- Mail -------------------------------------------------------------------------------------------------------------------------------
-- Only the owner's connection reads these tables.

-- A row is a mail that is to be sent or was. Written in the transaction of what it reports; the job `mail` sends it.
create table mails (
  id bigint generated always as identity primary key,
  -- The same at every attempt, so that a receiver recognises a second copy.
  message_id uuid not null default gen_random_uuid(),
  -- Null: about no partner, such as a test.
  partner_id integer references partners (id),
  kind text not null,
  -- What it is about, e.g. `subscription 12`: the same news twice in a short time is sent once.
  about text not null default '',
  recipient text not null check (recipient <> ''),
  -- Subject and text, sealed, because links are secrets. Erased once it is sent or given up.
  content bytea,
  created_at timestamptz not null,
  -- When to try (again), or the end of the lease of the process that is trying; null: it is over.
  due_at timestamptz,
  attempts integer not null default 0,
  sent_at timestamptz,
  failed_at timestamptz,
  -- Why the last attempt failed.
  error text not null default '',
  check ((due_at is null) = (sent_at is not null or failed_at is not null)),
  check ((due_at is null) = (content is null))
);

-- What is to be sent next.
create index mails_due on mails (due_at) where due_at is not null;
-- What could not be sent lately.
create index mails_failed on mails (failed_at) where failed_at is not null;
-- Whether a partner was mailed the same news a short time ago.
create index mails_of_partner on mails (partner_id, kind, created_at);
-- Old ones are removed.
create index mails_by_age on mails (created_at);

-- A row is what a partner's people are to be mailed. The worlds may write it but know no addresses; the job turns each row into mails.
create table notices (
  id bigint generated always as identity primary key,
  partner_id integer not null references partners (id),
  kind text not null,
  facts jsonb not null,
  created_at timestamptz not null
);

-- The installation -------------------------------------------------------------------------------------------------------------------

-- A row is a process of this installation. Each writes its own every few seconds and deletes it when it stops, so a row that has gone
-- silent belongs to a process that was killed or cannot reach the database.
create table processes (
  id uuid primary key,
  host text not null,
  pid integer not null,
  role text not null,
  version text not null,
  started_at timestamptz not null,
  last_seen timestamptz not null,
  -- Jobs it runs, each with how long it rests in milliseconds; empty for a process that does no background work.
  jobs jsonb not null,
  -- Kinds of supplier it has settings for.
  supplier_kinds text[] not null,
  -- Suppliers whose breaker is open in it.
  silent_suppliers text[] not null
);

-- A row counts calls to a supplier in one minute, from all processes. Kept for two days. `within_ms` is the first bound of
-- src/suppliers/figures.ts that is not below the duration.
create table supplier_figures (
  minute timestamptz not null,
  supplier text not null,
  call text not null,
  outcome text not null,
  within_ms integer not null,
  calls integer not null,
  total_ms bigint not null,
  last_at timestamptz not null,
  primary key (minute, supplier, call, outcome, within_ms)
);

-- A row is a proof of the ledger that was made or asked for. A worker makes what the console asks for, and the `audit` command writes
-- down what it found.
create table proofs (
  id bigint generated always as identity primary key,
  asked_by text not null,
  asked_at timestamptz not null,
  started_at timestamptz,
  -- How far the one that runs has come, and until when it is its worker's. Past that, its worker has died and another may begin.
  done integer not null default 0,
  total integer not null default 0,
  leased_until timestamptz,
  finished_at timestamptz,
  -- What it found in both worlds, as `audit --json` prints it; null while it is not finished, and if it could not be made.
  result jsonb,
  error text not null default '',
  -- `new` proves what was written since the last whole proof, and the totals.
  kind text not null default 'whole' check (kind in ('whole', 'new'))
);

-- What is still to be made, in the order it was asked for.
create index proofs_open on proofs (id) where finished_at is null;
-- The last ones made.
create index proofs_made on proofs (finished_at desc) where result is not null;
