-- What is sold (destinations, suppliers, plans) and what sets its price for a partner (rules). Both worlds read these.

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

create table suppliers (
  id integer generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9-]{2,40}$'),
  title text not null check (title <> ''),
  -- The adapter that talks to it.
  kind text not null check (kind in ('simulated', 'airalo', 'esim_access')),
  imported_at timestamptz
);

-- Network operators as suppliers describe them, each description once: {title, image, meta}.
create table operators (
  id integer generated always as identity primary key,
  details jsonb not null
);

create unique index operators_once on operators (md5(details::text));

-- A plan is never deleted: orders and rules name it. What a supplier no longer lists goes off sale.
create table plans (
  id integer generated always as identity primary key,
  alias text not null unique check (alias ~ '^esc_[0-9a-f]{16}$'),
  supplier_id integer not null references suppliers (id),
  supplier_plan text not null check (supplier_plan <> ''),
  destination text not null references destinations (code),
  operator_id integer not null references operators (id),
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
  unique (supplier_id, supplier_plan),
  check (is_unlimited = (amount_mb = 0))
);

-- A product rule fixes a price, every other one shares the margin. Null partner: it applies to every partner.
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

-- Every process keeps catalog and rules in memory and reads them again when it hears of a change.
create function notify_catalog() returns trigger language plpgsql as $$
begin
  perform pg_notify('wayfare_catalog', '');
  return null;
end $$;

create trigger destinations_changed after insert or update or delete on destinations
  for each statement execute function notify_catalog();
create trigger suppliers_changed after insert or delete or update of slug, title, kind on suppliers
  for each statement execute function notify_catalog();
create trigger operators_changed after update on operators for each statement execute function notify_catalog();
create trigger plans_changed after insert or update or delete on plans
  for each statement execute function notify_catalog();

create function notify_pricing() returns trigger language plpgsql as $$
begin
  perform pg_notify('wayfare_pricing', '');
  return null;
end $$;

create trigger pricing_rules_changed after insert or update or delete on pricing_rules
  for each statement execute function notify_pricing();
create trigger settings_changed after insert or update on settings
  for each row when (new.name in ('total_share_cap_pct', 'share_tiers')) execute function notify_pricing();
