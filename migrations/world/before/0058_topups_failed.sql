create index concurrently if not exists topups_failed on topups (id desc) where status = 'failed';
