-- orders_closed_of_product takes its place.
drop index concurrently if exists orders_of_product;
