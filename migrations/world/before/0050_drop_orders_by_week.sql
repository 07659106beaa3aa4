-- orders_closed_by_week takes its place.
drop index concurrently if exists orders_by_week;
