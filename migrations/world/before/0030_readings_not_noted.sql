-- Readings whose order does not know of them: those of the previous version. Empty once a job has gone through them.
create index concurrently if not exists readings_not_noted on usage_readings (iccid) where order_id is null and fetched_at is not null;
