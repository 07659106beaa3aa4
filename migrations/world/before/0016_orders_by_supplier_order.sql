-- An operator looks an order up by its number at the supplier.
create index concurrently if not exists orders_by_supplier_order on orders (supplier_order) where supplier_order is not null;
