-- A partner's eSIMs by what was last known of them, newest first. Rows enter it at delivery; open orders and refills never do.
create index concurrently if not exists orders_by_esim_state on orders (partner_id, (case when withdrawn_at is not null then 'cancelled' else coalesce(script ->> 'usage', usage_state, 'not_active') end), id desc) where status = 1 and refill_of is null;
