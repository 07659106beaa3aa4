-- The ids of each week's orders, without those still open.
create index concurrently if not exists orders_closed_by_week on orders (partner_id, date_trunc('week', created_at at time zone 'UTC'), id, created_at) where provision_due_at is null;
