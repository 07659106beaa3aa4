-- Orders that were bought together: the id of the first of them, which also has their idempotency key. Null: it was bought alone.
alter table orders add column batch_id bigint;
