-- A person's second factor, and what their sessions say about where they were opened. Only the owner's connection reads these
-- tables (src/db/migrate.ts).

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

alter table sessions
  -- What the list of sessions calls it; the hash stays in the database.
  add column id bigint generated always as identity,
  add column address text not null default '',
  add column user_agent text not null default '',
  -- When the password (and the second factor) was last given in this session; null: not since it is recorded.
  add column confirmed_at timestamptz;
