-- Only the sandbox looks for these, and all its orders have a script: a live purchase writes no entry here.
create index concurrently if not exists orders_scripted on orders (provision_due_at) where delivery = '' and script is not null and provision_due_at is not null;
