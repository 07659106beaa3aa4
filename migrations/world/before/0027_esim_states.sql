-- What the last usage reading said of an eSIM, beside the order that brought it, so that a list of the eSIMs in one state is read
-- off an index. Only columns without a value for existing rows: none is rewritten. A job fills them in from the readings there are.
alter table orders
  -- Null: never read, which partners read as not active.
  add column usage_state text,
  -- When it runs out. A state that has passed this time is 'expired', whatever the last reading said.
  add column usage_ends_at timestamptz;

-- The order whose eSIM was read; null: the order does not know of the reading yet.
alter table usage_readings add column order_id bigint;
