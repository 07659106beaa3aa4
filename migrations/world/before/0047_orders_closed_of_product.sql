-- A product's orders, without those still open: every index an order enters twice, when it is paid and again when it is delivered.
create index concurrently if not exists orders_closed_of_product on orders (partner_id, product_id, id) where provision_due_at is null;
