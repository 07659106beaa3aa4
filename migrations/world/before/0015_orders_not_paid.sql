-- Orders that came to nothing, by partner. Paid ones are not in it, so they cost nothing.
create index concurrently if not exists orders_not_paid on orders (partner_id, status, id desc) where status in (2, 3);
