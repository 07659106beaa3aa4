-- Every attempt at a delivery: what was sent, and what came back. Written in the statement that records the attempt's outcome, and
-- removed with its delivery. No foreign key: the check would cost a lookup per attempt, and only `record` writes here, while it
-- holds the delivery's queue row.
create table webhook_attempts (
  delivery_id bigint not null,
  -- Counted from 1; requeueing goes on counting. A number is missing where a process died before it recorded the outcome.
  attempt smallint not null,
  -- In the account's own time, like the rest of the log.
  started_at timestamptz not null,
  duration_ms integer not null,
  http_code smallint,
  error text not null,
  -- The headers that differ between attempts; the delivery determines the others. Null if no request was sent.
  sent_timestamp text,
  signature text,
  standard_signature text,
  -- The beginning of the reply: at most 2,000 characters of headers, one to a line, and 4,000 of the body.
  response_headers text not null,
  response_body text not null,
  primary key (delivery_id, attempt)
) with (autovacuum_vacuum_scale_factor = 0.05);

-- When somebody last asked for it to be sent again, in real time. Asking twice with the same click sends it once.
alter table webhook_deliveries add column requeued_at timestamptz;
