-- The key that an order's activation data is sealed with, itself sealed with the main secret. Without its key that data cannot be
-- read, wherever a copy of the order's row is. `check_at` is when the eSIM is next looked at: has it ended for long enough?
create table esim_keys (
  id bigint primary key,
  sealed bytea not null,
  check_at timestamptz not null
);
create index esim_keys_due on esim_keys (check_at);
