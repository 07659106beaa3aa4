create index concurrently if not exists revenue_shares_settled on revenue_shares (settled_at desc, id desc) where status = 'settled';
