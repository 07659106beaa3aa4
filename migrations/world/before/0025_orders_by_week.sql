-- Between which ids the orders of a time lie (src/orders/id-range.ts): the first and the last id of a week are one look each.
create index concurrently if not exists orders_by_week on orders (partner_id, date_trunc('week', created_at at time zone 'UTC'), id, created_at);
