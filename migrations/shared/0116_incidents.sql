-- What the public status page shows: our own measurements, and what operators write.

-- A row is an hour of a part of the service: how often it was measured, and how often it failed (src/status/hours.ts). An hour without a
-- row was not measured. Kept for 90 days.
create table service_hours (
  part text not null check (part in ('api', 'webhooks', 'suppliers')),
  hour timestamptz not null,
  measured bigint not null check (measured >= 0),
  failed bigint not null check (failed between 0 and measured),
  counted_at timestamptz not null,
  primary key (part, hour)
);

-- A row is something that went wrong, or work that was announced, as everybody may read it. Operators write it.
create table incidents (
  id integer generated always as identity primary key,
  title text not null check (length(title) between 1 and 120),
  impact text not null check (impact in ('maintenance', 'minor', 'major')),
  parts text[] not null check (cardinality(parts) > 0 and parts <@ array['api', 'webhooks', 'suppliers']),
  started_at timestamptz not null,
  -- Null: it is not over.
  resolved_at timestamptz check (resolved_at >= started_at)
);

create index incidents_by_start on incidents (started_at desc, id desc);

-- What was written about an incident, and when; never changed. The number of them is the incident's version.
create table incident_updates (
  incident_id integer not null references incidents (id),
  number smallint not null check (number > 0),
  status text not null check (status in ('investigating', 'identified', 'monitoring', 'resolved')),
  text text not null check (length(text) between 1 and 1000),
  written_at timestamptz not null,
  primary key (incident_id, number)
);
