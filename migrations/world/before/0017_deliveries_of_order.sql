-- The trail of one order shows its deliveries.
create index concurrently if not exists webhook_deliveries_of_order on webhook_deliveries (order_id) where order_id > 0;
