-- Mails to be sent and mails that were. Written in the transaction of what they tell; the job `mail` sends them
-- (src/mail/queue.ts). Only the owner's connection reads these tables.

create table mails (
  id bigint generated always as identity primary key,
  -- The same at every attempt, so that a receiver recognises a second copy.
  message_id uuid not null default gen_random_uuid(),
  -- Null: about no partner, such as a test.
  partner_id integer references partners (id),
  kind text not null,
  -- What it is about, e.g. `subscription 12`: the same news twice in a short time is sent once.
  about text not null default '',
  recipient text not null check (recipient <> ''),
  -- Subject and text, sealed, because links are secrets. Erased once it is sent or given up.
  content bytea,
  created_at timestamptz not null,
  -- When to try (again), or the end of the lease of the process that is trying; null: it is over.
  due_at timestamptz,
  attempts integer not null default 0,
  sent_at timestamptz,
  failed_at timestamptz,
  -- Why the last attempt failed.
  error text not null default '',
  check ((due_at is null) = (sent_at is not null or failed_at is not null)),
  check ((due_at is null) = (content is null))
);

create index mails_due on mails (due_at) where due_at is not null;
create index mails_failed on mails (failed_at) where failed_at is not null;
create index mails_of_partner on mails (partner_id, kind, created_at);
create index mails_by_age on mails (created_at);

-- What a partner's people are to be told. The worlds may write it but know no addresses; the job turns each row into mails.
create table notices (
  id bigint generated always as identity primary key,
  partner_id integer not null references partners (id),
  kind text not null,
  facts jsonb not null,
  created_at timestamptz not null
);

-- Addresses typed at "Forgot your password?". A job answers them, so that the page takes the same time for known and unknown ones.
create table password_requests (
  id bigint generated always as identity primary key,
  email text not null,
  created_at timestamptz not null
);
