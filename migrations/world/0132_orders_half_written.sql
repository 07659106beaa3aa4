create index concurrently if not exists orders_half_written on orders (created_at) where status = 3;
