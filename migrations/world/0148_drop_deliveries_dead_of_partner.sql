-- Only servers of 0.1.0 read it; webhook_dead_letters_of_partner took its place.
drop index concurrently if exists webhook_deliveries_dead_of_partner;
