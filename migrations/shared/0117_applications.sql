-- Whether the partner may use live. Partners who signed up by themselves get it when an operator approves it.
alter table partners add column live boolean not null default true;

-- What somebody asked for without an operator: an account (`sign_up`), or live for the account they have (`live`). Names and
-- addresses are as typed.
create table applications (
  id int generated always as identity primary key,
  kind text not null check (kind in ('sign_up', 'live')),
  -- unconfirmed: nobody has used the link we mailed. waiting: for an operator. asked: for the applicant. approved, rejected: decided.
  -- opened: a sign-up whose account is open. expired: one whose account was never used and is closed.
  status text not null check (status in ('unconfirmed', 'waiting', 'asked', 'approved', 'rejected', 'opened', 'expired')),
  -- Grows with every change of the status. A decision names the one it was made on.
  version int not null default 1,
  -- Of a sign-up: null until the account is open.
  partner_id int references partners (id),
  name text not null,
  company text not null,
  email text not null,
  -- What the form for live asks for.
  details jsonb not null default '{}',
  question text not null default '',
  answer text not null default '',
  -- What the applicant was told with the decision.
  note text not null default '',
  -- The network a sign-up came from. Erased after a day.
  source text,
  -- Of the one-time link to a sign-up. Used or replaced: null.
  link_hash bytea unique,
  link_expires_at timestamptz,
  created_at timestamptz not null,
  -- Since when it has its status.
  since timestamptz not null,
  decided_at timestamptz,
  decided_by text not null default '',
  -- When the people of an unused account were told that it will be closed.
  warned_at timestamptz,
  check (kind = 'sign_up' or partner_id is not null)
);

-- One at a time.
create unique index applications_open_live on applications (partner_id)
  where kind = 'live' and status in ('waiting', 'asked');
create index applications_partner on applications (partner_id);
create index applications_status on applications (status, since);
-- How many there were lately: in all, from a network, for an address.
create index applications_created on applications (created_at);
create index applications_source on applications (source, created_at) where source is not null;
create index applications_email on applications (lower(email), created_at);
