-- Every call to a supplier about an order: what was asked and what came back. Activation data, tokens and credentials are masked before a
-- row is written. Kept for 30 days; a job removes the rest (supplier-log/prune.ts), oldest first, along the key.
create table supplier_calls (
  id bigint generated always as identity primary key,
  order_id bigint not null,
  supplier text not null,
  operation text not null check (operation in ('order', 'find', 'withdraw')),
  -- In real time, whatever a test clock says.
  at timestamptz not null,
  duration_ms integer not null,
  -- What we took the answer for, e.g. `delivered`, and the reason it gave.
  outcome text not null,
  reason text not null,
  -- The HTTP calls it took, oldest first: [{"method": …, "path": …, "asked": …, "status": …, "answered": …, "failed": …, "ms": …}].
  exchanges json not null
) with (autovacuum_vacuum_scale_factor = 0.05);

create index supplier_calls_of_order on supplier_calls (order_id, id);
