create index concurrently if not exists orders_refunded_of_all on orders ((refunded > 0), id desc) where refunded > 0 and status <> 2;
