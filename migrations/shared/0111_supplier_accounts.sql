-- A row is our account at a supplier, as operators gave it to the console or the command line. Accounts may also stand in the
-- environment, and those come first (src/suppliers/accounts.ts). The supplier has a row of its own before its first import.
create table supplier_accounts (
  id bigint generated always as identity primary key,
  slug text not null unique references suppliers (slug),
  kind text not null,
  title text not null,
  -- What is no secret, by the names of src/settings/supplier-fields.ts.
  settings jsonb not null,
  -- The rest, as JSON, sealed.
  secrets bytea not null,
  updated_at timestamptz not null
);

-- Every process keeps the accounts in memory.
create function notify_suppliers() returns trigger language plpgsql as $$
begin
  perform pg_notify('wayfare_suppliers', '');
  return null;
end $$;

create trigger supplier_accounts_changed after insert or update or delete on supplier_accounts
  for each statement execute function notify_suppliers();

-- Below this our balance there is low; null: it never is.
alter table suppliers add column balance_alert_micros bigint default 100000000 check (balance_alert_micros >= 0);
