create index concurrently if not exists orders_failed on orders (failed_at) where failed_at is not null;
