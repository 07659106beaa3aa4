create index concurrently if not exists orders_refills on orders (refill_of) where refill_of is not null;
