-- People who sign in to the developer panel. Only the owner's connection may read these tables (src/db/migrate.ts).

create table members (
  id integer generated always as identity primary key,
  partner_id integer not null references partners (id),
  email text not null check (email <> ''),
  -- scrypt with its parameters and salt; null until the invitation is accepted.
  password_hash text,
  invited_at timestamptz not null,
  last_sign_in_at timestamptz
);

-- One address, one person, however it is capitalised.
create unique index members_by_email on members (lower(email));
create index members_of_partner on members (partner_id, id);

-- The one-time link of a member: one row each, so that a new link ends the one before it.
create table member_links (
  member_id integer primary key references members (id) on delete cascade,
  -- SHA-256 of the token; the token itself is shown once and never stored.
  hash bytea not null unique check (length(hash) = 32),
  expires_at timestamptz not null,
  used_at timestamptz
);

create table sessions (
  -- SHA-256 of the cookie's token.
  hash bytea primary key check (length(hash) = 32),
  member_id integer not null references members (id) on delete cascade,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null
);

create index sessions_of_member on sessions (member_id);

-- Networks a member has signed in from: strangers who fail on purpose elsewhere do not shut her out there.
create table sign_in_places (
  member_id integer not null references members (id) on delete cascade,
  source text not null,
  last_at timestamptz not null,
  primary key (member_id, source)
);

-- Failed sign-ins in a window that begins with the first.
create table sign_in_failures (
  -- SHA-256 of what they are counted by: whatever was typed as an e-mail address is not kept.
  subject bytea primary key check (length(subject) = 32),
  failures integer not null check (failures >= 0),
  since timestamptz not null
);

create index sign_in_failures_by_age on sign_in_failures (since);
