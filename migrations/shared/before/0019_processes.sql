-- The processes of this installation. Each writes its row every few seconds (src/jobs/processes.ts) and deletes it when it stops,
-- so a row that has gone silent belongs to a process that was killed or cannot reach the database.
create table processes (
  id uuid primary key,
  host text not null,
  pid integer not null,
  role text not null,
  version text not null,
  started_at timestamptz not null,
  last_seen timestamptz not null,
  -- Jobs it runs, each with how long it rests in milliseconds; empty for a process that does no background work.
  jobs jsonb not null,
  -- Kinds of supplier it has settings for.
  supplier_kinds text[] not null,
  -- Suppliers whose breaker is open in it.
  silent_suppliers text[] not null
);

-- Calls to suppliers by minute, from all processes, kept for two days. `within_ms` is the first bound of
-- src/suppliers/figures.ts that is not below the duration.
create table supplier_figures (
  minute timestamptz not null,
  supplier text not null,
  call text not null,
  outcome text not null,
  within_ms integer not null,
  calls integer not null,
  total_ms bigint not null,
  last_at timestamptz not null,
  primary key (minute, supplier, call, outcome, within_ms)
);
