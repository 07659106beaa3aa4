-- Dead letters of one partner, latest first.
create index concurrently if not exists webhook_dead_letters_of_partner on webhook_deliveries (partner_id, coalesce(died_at, '-infinity') desc, id desc) where status = 'dead' and not discarded;
