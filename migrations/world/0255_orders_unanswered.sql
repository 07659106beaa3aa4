-- Replaced by `orders_scripted`.
drop index concurrently if exists orders_unanswered;
