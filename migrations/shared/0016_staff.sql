-- The people who run the service, for the console. They are not members of partners: another table, another cookie, other addresses.
create table staff (
  id integer generated always as identity primary key,
  email text not null,
  role text not null check (role in ('admin', 'finance', 'support', 'read-only')),
  -- Null until the invitation is accepted.
  password_hash text,
  -- The second factor, sealed; on since the first code was given.
  totp_secret bytea,
  totp_on_since timestamptz,
  totp_last_step bigint not null default 0,
  recovery_hashes bytea[] not null default '{}',
  created_at timestamptz not null,
  last_sign_in_at timestamptz
);
create unique index staff_by_email on staff (lower(email));

-- One link at a time: an invitation, or a way back in.
create table staff_links (
  operator_id integer primary key references staff on delete cascade,
  hash bytea not null unique,
  expires_at timestamptz not null,
  used_at timestamptz
);

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
create index staff_sessions_of_operator on staff_sessions (operator_id);
