-- The index of charges and the one of what came after them replace it.
drop index concurrently if exists movements_of_order;
