-- Orders whose supplier charged something else than we expected. They are few, so this costs the others nothing.
create index concurrently if not exists orders_charged_otherwise on orders (id) where charged_micros <> cost_micros and cost_micros > 0;
