-- Four eyes: what an operator proposed in the console and another one has to approve. `sealed` is the input, which may have credentials
-- in it. `terms` are the values the decision rests on: if they differ when it is approved, it is refused. A row is never deleted, and
-- does not refer to `staff`: the name of an operator who left stays.
create table proposals (
  id integer generated always as identity primary key,
  action text not null,
  sealed bytea not null,
  operator_id integer not null,
  who text not null,
  key text not null,
  partner_id integer references partners,
  amount bigint,
  words text not null,
  terms jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'rejected', 'withdrawn')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  decided_by text,
  decided_key text,
  reason text not null default '',
  unique (operator_id, key)
);
create index proposals_waiting on proposals (created_at) where state = 'waiting';

-- What an operator moved or promised by hand, or proposed to: the amounts to one partner within an hour count together.
create table operator_amounts (
  id bigint generated always as identity primary key,
  who text not null,
  partner_id integer not null references partners,
  amount bigint not null,
  at timestamptz not null,
  proposal_id integer references proposals
);
create index operator_amounts_recent on operator_amounts (who, partner_id, at);
create index operator_amounts_proposal on operator_amounts (proposal_id) where proposal_id is not null;
