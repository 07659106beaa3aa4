-- eSIMs in use, by their end. A job marks those that have passed it, so what lies before now is little at any time.
create index concurrently if not exists orders_running_out on orders (usage_ends_at) where usage_state in ('active', 'depleted') and usage_ends_at is not null;
