-- Dead letters, newest first, over all partners or of one. Only the dead are in these indexes, so what was sent costs them
-- nothing. By the real time, whatever an account's clock says; null for those that died before this was recorded.
alter table webhook_deliveries add column died_at timestamptz;

create index webhook_deliveries_dead on webhook_deliveries (died_at desc nulls last, id desc) where status = 'dead';
-- The same order, written so that the index of all cannot serve it: the planner, going by averages, would look there for a
-- partner who has few among millions.
create index webhook_deliveries_dead_of_partner on webhook_deliveries
  (partner_id, coalesce(died_at, '-infinity') desc, id desc) where status = 'dead';
