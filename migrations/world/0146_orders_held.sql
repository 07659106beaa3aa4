-- The few that wait for a person, for the console's home and its list.
create index concurrently if not exists orders_held on orders (id) where held_at is not null and provision_due_at is not null;
