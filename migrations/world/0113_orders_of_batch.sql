-- The orders of a batch. One that was bought alone is not in it.
create index concurrently if not exists orders_of_batch on orders (batch_id, id) where batch_id is not null;
