-- What the page a traveller opens carries of the partner. Empty texts and nulls: not set.
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
