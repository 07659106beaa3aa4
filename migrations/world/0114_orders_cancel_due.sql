create index concurrently if not exists orders_cancel_due on orders (cancel_due_at) where cancel_due_at is not null;
