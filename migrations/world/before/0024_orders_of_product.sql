-- A partner looks for the orders of one product, which may be a handful among a million.
create index concurrently if not exists orders_of_product on orders (partner_id, product_id, id);
