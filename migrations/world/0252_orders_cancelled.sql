create index concurrently if not exists orders_cancelled on orders (partner_id, id) where cancel_status = 'cancelled';
