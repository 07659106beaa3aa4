-- Where the members of a partner sign in with the accounts of their company. Its own client secret is sealed.
create table partner_sso (
  id integer generated always as identity primary key,
  partner_id integer not null unique references partners,
  issuer text not null,
  client_id text not null,
  client_secret bytea not null,
  required boolean not null default false,
  set_at timestamptz not null
);

-- Mail domains of a partner. One counts only when an operator has confirmed whose it is, and then for one partner.
create table partner_domains (
  id integer generated always as identity primary key,
  partner_id integer not null references partners,
  domain text not null check (domain = lower(domain)),
  added_at timestamptz not null,
  confirmed_at timestamptz,
  confirmed_by text,
  unique (partner_id, domain)
);
create unique index partner_domains_confirmed on partner_domains (domain) where confirmed_at is not null;

-- Who a member is at their partner's issuer. It belongs to the place at that partner, not to the person: the issuer of one partner
-- says nothing about their places at others.
create table member_identities (
  member_id integer primary key references members on delete cascade,
  partner_id integer not null references partners,
  issuer text not null,
  subject text not null,
  linked_at timestamptz not null,
  unique (partner_id, issuer, subject)
);

-- Who still signs in with password and second factor where single sign-on is required.
alter table members add column break_glass boolean not null default false;
alter table staff add column break_glass boolean not null default false;

-- Somebody who only ever came by single sign-on has no password.
alter table people alter column password_hash drop not null;
