-- The people who run the service, for the console. They are not members of partners: another table, another cookie, other addresses.
create table staff (
  id integer generated always as identity primary key,
  email text not null,
  role text not null check (role in ('admin', 'finance', 'support', 'read-only')),
  -- Null until the invitation is accepted.
  password_hash text,
  created_at timestamptz not null,
  last_sign_in_at timestamptz
);
create unique index staff_by_email on staff (lower(email));

-- As second_factors and sign_in_places, which are those of partners' people: the same code works on both.
create table staff_second_factors (
  id integer generated always as identity primary key,
  operator_id integer not null unique references staff on delete cascade,
  secret bytea not null,
  on_since timestamptz,
  last_step bigint not null default 0,
  recovery_hashes bytea[] not null default '{}'
);
create table staff_places (
  operator_id integer not null references staff on delete cascade,
  source text not null,
  last_at timestamptz not null,
  primary key (operator_id, source)
);

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

-- A partner's panel as an operator sees it, read-only and for a short time. It ends with the operator's session.
create table staff_views (
  hash bytea primary key,
  session_id bigint not null references staff_sessions on delete cascade,
  partner_id integer not null references partners on delete cascade,
  expires_at timestamptz not null
);
create index staff_views_of_session on staff_views (session_id);
create index staff_views_of_partner on staff_views (partner_id);
