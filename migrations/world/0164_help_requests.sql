-- A row is a request for help that a traveller sent from the page of their eSIM: an entry in the partner's inbox.
create table help_requests (
  id bigint generated always as identity primary key,
  partner_id integer not null,
  -- The order that brought the eSIM. Requests go with it when a sandbox is reset.
  order_id bigint not null references orders (id) on delete cascade,
  iccid text not null,
  -- How many there were for this ICCID, this one included. The id of its event has it.
  n integer not null,
  -- Names the form that was sent: sending it twice asks once.
  form text not null,
  language text not null,
  step text not null,
  -- What was known when it was sent.
  facts jsonb not null,
  -- The traveller's mail address and message.
  sealed bytea not null,
  -- The last answer.
  answer bytea,
  state text not null default 'open' check (state in ('open', 'answered', 'closed')),
  -- Account time, as the limit per day.
  created_at timestamptz not null,
  answered_at timestamptz,
  closed_at timestamptz,
  unique (order_id, form)
);

create index help_requests_of_partner on help_requests (partner_id, id desc);
create index help_requests_open on help_requests (partner_id, id desc) where state = 'open';
create index help_requests_of_iccid on help_requests (iccid);
