-- Who an operator is at the issuer of single sign-on. After the first time the subject says who they are, not their address.
create table staff_identities (
  operator_id integer primary key references staff on delete cascade,
  issuer text not null,
  subject text not null,
  linked_at timestamptz not null,
  unique (issuer, subject)
);

-- Opened by single sign-on.
alter table sessions add column sso boolean not null default false;
alter table staff_sessions add column sso boolean not null default false;
