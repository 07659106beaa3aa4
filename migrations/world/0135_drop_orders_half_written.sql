-- orders_not_paid_of_all takes its place.
drop index concurrently if exists orders_half_written;
