-- Orders that got money back. They are few, so this costs the others nothing.
create index concurrently if not exists orders_refunded on orders (partner_id, id) where refunded > 0;
