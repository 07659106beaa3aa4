-- The refills of an eSIM. The foreign key looks here, too, when an order is deleted.
create index concurrently if not exists orders_refills on orders (refill_of) where refill_of is not null;
