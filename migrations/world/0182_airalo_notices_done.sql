-- By which old webhooks in Airalo's form are removed once they are sent or given up.
create index concurrently if not exists airalo_notices_done on airalo_notices (created_at) where due_at is null;
