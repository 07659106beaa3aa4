-- Partners, their API keys, operator settings and the audit log of operator actions.

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
  refused_address text,
  refused_at timestamptz
);

create index api_keys_of_partner on api_keys (partner_id, mode) where revoked_at is null;

create table settings (
  name text primary key,
  value jsonb not null
);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  who text not null,
  what text not null,
  target text not null,
  before jsonb,
  after jsonb
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
