-- An operator looks a reference up over all partners. By partner, that would be a look at each of them.
create index concurrently if not exists orders_by_reference_of_all on orders (reference, id) where reference <> '';
