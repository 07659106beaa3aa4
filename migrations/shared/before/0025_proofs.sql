-- Proofs of the ledger: those that were made and those that were asked for. A worker makes what the console asks for, and the
-- `audit` command writes down what it found.
create table proofs (
  id bigint generated always as identity primary key,
  asked_by text not null,
  asked_at timestamptz not null,
  started_at timestamptz,
  -- How far the one that runs has come, and until when it is its worker's. Past that, its worker has died and another may begin.
  done integer not null default 0,
  total integer not null default 0,
  leased_until timestamptz,
  finished_at timestamptz,
  -- What it found in both worlds, as `audit --json` prints it; null while it is not finished, and if it could not be made.
  result jsonb,
  error text not null default ''
);
create index proofs_open on proofs (id) where finished_at is null;
create index proofs_made on proofs (finished_at desc) where result is not null;
