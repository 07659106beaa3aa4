-- A partner looks for orders by its own reference. Orders without one are not in it, so they cost nothing.
create index concurrently if not exists orders_by_reference on orders (partner_id, reference, id) where reference <> '';
