-- The wish that an order is not delivered after all, and what became of it: `requested`, `cancelled` or `too_late`. Null: nobody asked.
-- The order's own state says the rest: what is cancelled has failed, or was delivered and handed back to its supplier.
alter table orders
  add column cancel_status text,
  add column cancel_requested_at timestamptz,
  add column cancel_decided_at timestamptz,
  -- Set: it was delivered though its cancel was requested. When its supplier is asked next to take the eSIM back.
  add column cancel_due_at timestamptz,
  -- The try (`provision_attempts`) after which certainly no supplier had the order. While the two are equal, nobody tries it either.
  add column free_attempts integer;
