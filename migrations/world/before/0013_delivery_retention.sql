-- Old deliveries are removed from the log in small batches (src/webhooks/retention.ts); live's role gets the right to delete them
-- with this migration (src/db/migrate.ts). A fifth of ten million rows, PostgreSQL's default, is too long to wait until their
-- space can be used again.
alter table webhook_deliveries set (autovacuum_vacuum_scale_factor = 0.05);
