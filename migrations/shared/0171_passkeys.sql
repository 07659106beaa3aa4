-- Passkeys of members and operators. A credential is one person's; only a person who is started anew from another one (`person.ts`) gets
-- a copy. `last_challenge` is the newest challenge it has answered: an answer counts once, like a code of the second factor.
create table passkeys (
  id bigint generated always as identity primary key,
  person_id integer not null references people on delete cascade,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  last_challenge bigint not null default 0,
  unique (credential_id, person_id)
);
create index passkeys_person on passkeys (person_id);

create table staff_passkeys (
  id bigint generated always as identity primary key,
  operator_id integer not null references staff on delete cascade,
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  last_challenge bigint not null default 0
);
create index staff_passkeys_operator on staff_passkeys (operator_id);

-- Somebody with passkeys and without an authenticator app has recovery codes, too.
alter table second_factors alter column secret drop not null;
alter table staff_second_factors alter column secret drop not null;
