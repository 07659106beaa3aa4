-- What an operator looks up among a million orders.

-- Orders that came to nothing, by partner. Those that were paid are in none of its pages, so they cost nothing.
create index orders_not_paid on orders (partner_id, status, id desc) where status in (2, 3);
create index orders_by_supplier_order on orders (supplier_order) where supplier_order is not null;
create index webhook_deliveries_of_order on webhook_deliveries (order_id) where order_id > 0;
