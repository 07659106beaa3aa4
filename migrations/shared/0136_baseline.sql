-- What both worlds share: partners and their keys, the catalog and its prices, the people who sign in, and what the operators of this
-- installation need. The worlds' roles may read it, except what is about people. What each role may do is listed in one place,
-- `platform/db/migrate/rights.ts` under src, and granted after every migration.
--
-- A new database runs this file, then the later ones. A database of the previous release has this schema already. The file is never
-- edited: a change is a new file.

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
  deleted_at timestamptz,
  -- Whether the partner may use live. Partners who signed up by themselves get it when an operator approves it.
  live boolean not null default true
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
  -- The partner's own name for it, and a note.
  name text not null default '',
  note text not null default '',
  -- Cents that agents may spend with it. Without a limit they can only read. The API itself has no such limit.
  spending_limit bigint check (spending_limit > 0),
  spending_period text check (spending_period in ('day', 'month', 'total')),
  -- What a restricted key may do. Null: it is not restricted. Chosen when the key is made, and never changed.
  permissions text[]
    check (cardinality(permissions) > 0 and permissions <@ array['read', 'buy', 'money', 'webhooks']),
  -- A sandbox key as its partner's developers see it in the samples of the reference, encrypted. Sandbox keys move no money; a live
  -- key is stored as a hash only. Null: it is restricted or was revoked.
  sealed bytea,
  constraint api_keys_spending_check check ((spending_limit is null) = (spending_period is null)),
  constraint api_keys_sealed_check check (sealed is null or mode = 'sandbox')
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
  -- It was charged. False: it may have been, and an order with its key proves that it was.
  is_settled boolean not null default false
);

-- What a key has spent in a period.
create index agent_purchases_of_key on agent_purchases (key_id, made_at);
-- Purchases whose outcome is still to be looked up.
create index agent_purchases_open on agent_purchases (key_id) where not is_settled;

-- A row is a partner's brand, shown on the pages its travellers open. Members write it. Empty texts and nulls: not set.
create table brands (
  partner_id integer primary key references partners (id),
  display_name text not null default '',
  color text check (color ~ '^#[0-9a-f]{6}$'),
  support_url text not null default '',
  -- Drawn again by us, never the bytes that were uploaded.
  logo bytea check (octet_length(logo) <= 102400),
  logo_type text check (logo_type in ('image/png', 'image/svg+xml', 'image/webp')),
  -- Where travellers buy more data. `{iccid}` stands for the number of the eSIM.
  refill_url text not null default '',
  check ((logo is null) = (logo_type is null))
);

-- A row is how a partner makes its retail prices. Members write it; only the panel shows it.
create table retail_terms (
  partner_id integer primary key references partners,
  -- Retail prices are in this currency; a US dollar is this many millionths of it.
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  rate_micros bigint not null default 1000000 check (rate_micros > 0),
  -- On what the partner pays, in hundredths of a percent; null: none.
  markup_bp integer check (markup_bp between 0 and 100000),
  -- How prices end, such as .99.
  ending text not null default 'none',
  check (currency <> 'USD' or rate_micros = 1000000)
);

-- A row is an exception: a markup for a destination, or a price for a plan, in the currency it was typed in.
create table retail_prices (
  partner_id integer not null references partners,
  scope text not null check (scope in ('destination', 'plan')),
  -- A destination's code, or a plan's id.
  target text not null,
  markup_bp integer check (markup_bp between 0 and 100000),
  price bigint check (price > 0),
  currency text,
  primary key (partner_id, scope, target),
  check ((scope = 'destination') = (markup_bp is not null)),
  check ((scope = 'plan') = (price is not null and currency is not null))
);

-- A row is a request made without an operator: for an account (`sign_up`), or for live with the account they have (`live`). Names and
-- addresses are as typed.
create table applications (
  id int generated always as identity primary key,
  kind text not null check (kind in ('sign_up', 'live')),
  -- unconfirmed: the link we mailed was not used yet. waiting: for an operator. asked: for the applicant. approved, rejected: decided.
  -- opened: a sign-up whose account is open. expired: one whose account was never used and is closed.
  status text not null check (status in ('unconfirmed', 'waiting', 'asked', 'approved', 'rejected', 'opened', 'expired')),
  -- Grows with every change of the status. A decision names the version it was made on.
  version int not null default 1,
  -- Of a sign-up: null until the account is open.
  partner_id int references partners (id),
  name text not null,
  company text not null,
  email text not null,
  -- The fields of the form for live.
  details jsonb not null default '{}',
  question text not null default '',
  answer text not null default '',
  -- Sent to the applicant with the decision.
  note text not null default '',
  -- The network a sign-up came from. Erased after a day.
  source text,
  -- Of the one-time link to a sign-up. Used or replaced: null.
  link_hash bytea unique,
  link_expires_at timestamptz,
  created_at timestamptz not null,
  -- Since when it has its status.
  since timestamptz not null,
  decided_at timestamptz,
  decided_by text not null default '',
  -- When the members of an unused account were warned that it will be closed.
  warned_at timestamptz,
  check (kind = 'sign_up' or partner_id is not null)
);

-- A partner has one open request for live at a time.
create unique index applications_open_live on applications (partner_id)
  where kind = 'live' and status in ('waiting', 'asked');
create index applications_partner on applications (partner_id);
create index applications_status on applications (status, since);
-- How many there were lately: in all, from a network, for an address.
create index applications_created on applications (created_at);
create index applications_source on applications (source, created_at) where source is not null;
create index applications_email on applications (lower(email), created_at);

-- Every process keeps keys and partners in memory and reads them again when they change. Columns that only record use
-- (last_used_at, refused_*) are not listed, so ordinary requests notify no process.
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

-- A row is a supplier of eSIMs. Imports write it; operators set its markup, and the worker records our balance there.
create table suppliers (
  id integer generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9-]{2,40}$'),
  title text not null check (title <> ''),
  -- The adapter that calls it. The program knows which there are and refuses others.
  kind text not null,
  imported_at timestamptz,
  -- List prices of its plans are their cost and this much on top, except those set by hand. Null: as the supplier's list has them.
  markup_pct numeric(6, 2) check (markup_pct between 0 and 1000),
  -- Our balance at the supplier, in micros, and when it was read. `balance_asked_at`: when a worker last tried to.
  balance_micros bigint,
  balance_at timestamptz,
  balance_asked_at timestamptz,
  -- Since when a supplier is off: none of its plans are sold.
  off_since timestamptz,
  -- The version of the supplier's list at its last import, so that the next one can ask for the changes only. Null: the supplier has
  -- no versions, or the whole list is wanted again.
  list_version text,
  -- Below this our balance there is low; null: it never is.
  balance_alert_micros bigint default 100000000 check (balance_alert_micros >= 0)
);

-- A row is our account at a supplier, entered in the console or at the command line. Accounts set in the environment come first. The
-- supplier has a row of its own before its first import.
create table supplier_accounts (
  id bigint generated always as identity primary key,
  slug text not null unique references suppliers (slug),
  kind text not null,
  title text not null,
  -- Fields that are no secret, by name.
  settings jsonb not null,
  -- The others, as JSON, encrypted.
  secrets bytea not null,
  updated_at timestamptz not null
);

-- A row is an order of ours at eSIM Go, which takes no reference from its customers: what we need to recognise the order there after a
-- lost reply, so that it is never placed twice.
create table esim_go_orders (
  -- Ours, with the second of payment.
  reference text primary key,
  -- Their name of the plan.
  bundle text not null,
  -- The eSIM it refills, or the new one as soon as it is known.
  iccid text,
  -- When it may last have been sent; null: it certainly had no effect.
  sent_at timestamptz,
  times_sent integer not null default 0,
  -- Look-ups since it was sent that found nothing.
  empty_looks integer not null default 0,
  -- Until then no process sends another order to eSIM Go.
  busy_until timestamptz not null,
  -- Theirs. One of their orders is one of ours.
  order_reference text unique,
  -- Our address, as their reply names it.
  source_ip text,
  -- When we asked them to take the eSIM back.
  withdrawn_at timestamptz
);

create index esim_go_orders_uncertain on esim_go_orders (bundle, sent_at) where order_reference is null and sent_at is not null;
create index esim_go_orders_busy on esim_go_orders (busy_until);
create index esim_go_orders_of_esim on esim_go_orders (iccid);
create index esim_go_orders_from on esim_go_orders (source_ip);

-- A row is a mobile network as a supplier describes it, each description once: {title, image, meta}. Imports write it.
create table networks (
  id integer generated always as identity primary key,
  details jsonb not null
);

create unique index networks_once on networks (md5(details::text));

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
  -- It is off sale because its supplier is off, and goes on sale again with it.
  is_held_back boolean not null default false,
  -- Within how many days of the purchase the eSIM has to be installed. Null: the supplier does not say.
  install_window_days integer,
  unique (supplier_id, supplier_plan),
  check (is_unlimited = (amount_mb = 0))
);

-- A row is a route: the plans that may be delivered in place of a plan, in the order in which they are tried. Operators write it.
create table routes (
  plan_id integer primary key references plans (id),
  alternates integer[] not null check (cardinality(alternates) between 1 and 20),
  -- An alternate costs at most this, in micros, or leaves at least this part of the price paid. Both null: it costs at most the price paid.
  max_cost bigint check (max_cost >= 0),
  min_margin_pct numeric(5, 2) check (min_margin_pct between 0 and 100),
  -- Which is tried first: the plan's own supplier, or the cheapest.
  prefer text not null default 'own' check (prefer in ('own', 'cheapest')),
  check (max_cost is null or min_margin_pct is null)
);

-- A row says whether the plans of a supplier that have no route of their own take suggestions. Null: those of every supplier that has
-- no row. Operators write it.
create table auto_routes (
  supplier_id integer references suppliers (id),
  is_on boolean not null,
  prefer text not null default 'own' check (prefer in ('own', 'cheapest')),
  unique nulls not distinct (supplier_id)
);

-- A row is an import of a supplier's list: who made it, what it changed, or why it failed.
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

-- A row is when a worker may next import a supplier's list by itself. A claim moves `not_before` to the end of its lease, so several
-- workers import a list once, and a list whose worker died is imported by another.
create table catalog_syncs (
  supplier text primary key,
  not_before timestamptz not null,
  succeeded_at timestamptz,
  -- In a row.
  failures integer not null default 0
);

-- Every process keeps the catalog, the routes and the suppliers' accounts in memory and reads them again when they change.
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

create function notify_routes() returns trigger language plpgsql as $$
begin
  perform pg_notify('wayfare_routes', '');
  return null;
end $$;

create trigger routes_changed after insert or update or delete on routes
  for each statement execute function notify_routes();
create trigger auto_routes_changed after insert or update or delete on auto_routes
  for each statement execute function notify_routes();
create trigger suppliers_balance_read after update of balance_micros on suppliers
  for each statement execute function notify_routes();

create function notify_suppliers() returns trigger language plpgsql as $$
begin
  perform pg_notify('wayfare_suppliers', '');
  return null;
end $$;

create trigger supplier_accounts_changed after insert or update or delete on supplier_accounts
  for each statement execute function notify_suppliers();

-- States of the catalog --------------------------------------------------------------------------------------------------------------
-- What was different before each state: `catalog/changes` answers a partner with the changes since the state it has. Triggers write
-- it, so every change of the catalog is in it. It covers what a Product row shows of plans and destinations; what sets prices is in
-- `price_contracts`.

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
  -- The whole row; null when only the three above were different. Most changes are a new cost or price.
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
  hidden constant text[] := '{supplier_plan,short_info,price_by_hand,cost_by_hand,on_sale_by_hand,is_held_back}';
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

-- The program never makes these changes, but a person with SQL might. What they change is not recorded, so earlier states are deleted.
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
-- the cap. Written with the answer that names the version.
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

-- Rows that no version has named for a long time are removed.
create index price_contracts_by_age on price_contracts (seen_at);

-- A row is a setting that operators change while the program runs, or something the installation must remember once.
create table settings (
  name text primary key,
  value jsonb not null
);

-- Every process keeps the rules in memory and reads them again when they change.
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

-- Not unique. The holder of an invitation sets its password, and nothing proves that the address is theirs. With one person for an
-- address everywhere, a partner could take it by inviting it first, or learn from a refusal that another partner knows it.
create index people_by_email on people (lower(email));

-- A row is one person's membership of one partner. Members and operators invite and remove them.
create table members (
  id integer generated always as identity primary key,
  partner_id integer not null references partners (id),
  email text not null check (email <> ''),
  invited_at timestamptz not null,
  last_sign_in_at timestamptz,
  -- Null until the invitation is accepted.
  person_id integer references people (id),
  -- What they may do in the panel.
  role text not null default 'owner' check (role in ('owner', 'developer', 'finance', 'support', 'read-only'))
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
  -- The session's name in lists; the hash stays in the database.
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
  -- SHA-256 of what they are counted by: a typed address is not kept.
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
  last_sign_in_at timestamptz,
  -- When they were last at the console, and when their visit before this one ended.
  seen_at timestamptz,
  left_at timestamptz
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

-- A row is an alert that an operator dismissed on the console's home page. It is shown again once it is in another state.
create table staff_dismissals (
  operator_id integer not null references staff (id) on delete cascade,
  kind text not null,
  of text not null,
  state text not null,
  dismissed_at timestamptz not null,
  primary key (operator_id, kind, of)
);

-- A row is a list's filters under a name, of a member in the panel or an operator in the console. It is deleted with them.
create table saved_views (
  id bigint generated always as identity primary key,
  member_id integer references members on delete cascade,
  operator_id integer references staff on delete cascade,
  -- The list the filters are for, e.g. `orders`.
  list text not null check (char_length(list) between 1 and 40),
  name text not null check (char_length(name) between 1 and 60),
  -- By their names in the list's address.
  filters jsonb not null check (jsonb_typeof(filters) = 'object'),
  created_at timestamptz not null,
  check (num_nonnulls(member_id, operator_id) = 1)
);

create unique index saved_views_of_member on saved_views (member_id, list, lower(name)) where member_id is not null;
create unique index saved_views_of_operator on saved_views (operator_id, list, lower(name)) where operator_id is not null;

-- A row is a note that operators keep for each other about a partner or one of its orders. Partners never see it. It is not edited:
-- its author or an admin may delete it, and the audit log records that.
create table notes (
  id bigint generated always as identity primary key,
  partner_id integer not null references partners (id),
  -- Both null: it is about the partner.
  mode text check (mode in ('live', 'sandbox')),
  order_id bigint,
  -- As the audit log names them.
  author text not null,
  text text not null check (text <> ''),
  written_at timestamptz not null,
  check ((mode is null) = (order_id is null))
);

create index notes_of_partner on notes (partner_id, id desc) where order_id is null;
create index notes_of_order on notes (order_id, mode, id desc) where order_id is not null;

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
  -- The partner whose activity it is part of; null: none.
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

-- The entry of a purchase that a member made in the panel, written with its charge. That transaction belongs to a world, whose role
-- cannot write the log; this function runs with its owner's rights and writes entries of this one kind.
create function record_purchase(who text, target text, after jsonb, partner_id int) returns void
language sql security definer set search_path = '' as $$
  insert into shared.audit_log (who, what, target, after, partner_id) values (who, 'order buy', target, after, partner_id)
$$;

-- A row is a step of an action that was requested under a key, so that a repeat changes nothing and gets the same answer. Step 0 is
-- the action itself, with its answer once it has one. Each transaction it makes adds a step, in that same transaction. Only the
-- owner's connection reads it.
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
  -- While it runs: the end of its process's lease. After that, the process has died and a repeat continues the action.
  claimed_until timestamptz,
  -- The request and its answer, encrypted.
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

-- The next ones to send.
create index mails_due on mails (due_at) where due_at is not null;
-- Recent failures.
create index mails_failed on mails (failed_at) where failed_at is not null;
-- Whether a partner was mailed the same news a short time ago.
create index mails_of_partner on mails (partner_id, kind, created_at);
-- Old ones are removed.
create index mails_by_age on mails (created_at);

-- A row is news for a partner's members. The worlds may write it but know no addresses; the job turns each row into mails.
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

-- A row counts calls to a supplier in one minute, from all processes. Kept for two days. `within_ms` is the upper bound of the
-- duration, one of a fixed list.
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

-- A row is a proof of the ledger that was made or requested. A worker makes those that the console requests; the `audit` command
-- records its own.
create table proofs (
  id bigint generated always as identity primary key,
  asked_by text not null,
  asked_at timestamptz not null,
  started_at timestamptz,
  -- Progress of a running one, and the end of its worker's lease. After that, the worker has died and another may begin.
  done integer not null default 0,
  total integer not null default 0,
  leased_until timestamptz,
  finished_at timestamptz,
  -- The result for both worlds, as `audit --json` prints it; null while it is not finished, and if it could not be made.
  result jsonb,
  error text not null default '',
  -- `new` proves what was written since the last whole proof, and the totals.
  kind text not null default 'whole' check (kind in ('whole', 'new'))
);

-- Those still to be made, in the order of their requests.
create index proofs_open on proofs (id) where finished_at is null;
-- The last ones made.
create index proofs_made on proofs (finished_at desc) where result is not null;

-- The public status page -------------------------------------------------------------------------------------------------------------

-- A row is an hour of a part of the service: how often it was measured, and how often it failed. An hour without a row was not
-- measured. Kept for 90 days.
create table service_hours (
  part text not null check (part in ('api', 'webhooks', 'suppliers')),
  hour timestamptz not null,
  measured bigint not null check (measured >= 0),
  failed bigint not null check (failed between 0 and measured),
  counted_at timestamptz not null,
  primary key (part, hour)
);

-- A row is an incident, or work that was announced, as the public reads it. Operators write it.
create table incidents (
  id integer generated always as identity primary key,
  title text not null check (length(title) between 1 and 120),
  impact text not null check (impact in ('maintenance', 'minor', 'major')),
  parts text[] not null check (cardinality(parts) > 0 and parts <@ array['api', 'webhooks', 'suppliers']),
  started_at timestamptz not null,
  -- Null: it is not over.
  resolved_at timestamptz check (resolved_at >= started_at)
);

create index incidents_by_start on incidents (started_at desc, id desc);

-- A row is an update about an incident; never changed. The number of updates is the incident's version.
create table incident_updates (
  incident_id integer not null references incidents (id),
  number smallint not null check (number > 0),
  status text not null check (status in ('investigating', 'identified', 'monitoring', 'resolved')),
  text text not null check (length(text) between 1 and 1000),
  written_at timestamptz not null,
  primary key (incident_id, number)
);
