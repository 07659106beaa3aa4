create index concurrently if not exists topups_returned on topups (partner_id, closed_at) where refunded + disputed > 0;
