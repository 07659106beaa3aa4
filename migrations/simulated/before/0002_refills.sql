-- A refill is an order for an eSIM that exists: its data and days are added when it is ready.
alter table orders
  -- The ICCID as the customer sent it; null: the order is for a new eSIM.
  add column refill_of text,
  -- The eSIM's own figures include this refill. Until then they are added whenever the eSIM is read.
  add column is_counted boolean not null default false,
  -- When the customer gave the eSIM back.
  add column withdrawn_at timestamptz;
