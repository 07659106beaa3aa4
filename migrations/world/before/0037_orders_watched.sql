-- Due readings of one supplier, the longest due first. Only watched eSIMs are in it.
create index concurrently if not exists orders_watched on orders (supplier, watch_due_at) where watch_due_at is not null;
