-- Dead letters by subscription, latest first: which receivers have some, how many, and of which event.
create index concurrently if not exists webhook_dead_letters_of_subscription on webhook_deliveries (subscription_id, coalesce(died_at, '-infinity') desc, id desc, event_type) where status = 'dead' and not discarded;
