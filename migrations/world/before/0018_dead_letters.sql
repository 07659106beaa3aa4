-- Dead letters over all partners, latest first.
create index concurrently if not exists webhook_dead_letters on webhook_deliveries (died_at desc nulls last, id desc) where status = 'dead' and not discarded;
