-- What a partner and each of its keys spent in an hour, a day or a month, for their limits.
create index concurrently if not exists orders_by_time on orders (partner_id, created_at) include (sale_price, key_id) where status <> 2;
