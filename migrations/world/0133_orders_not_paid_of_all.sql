create index concurrently if not exists orders_not_paid_of_all on orders (status, id desc) where status in (2, 3);
