-- A delivery that was dropped on purpose (its subscription was deleted, or the held ones were discarded) is dead, but it is not a
-- dead letter: there is nothing to investigate. The indexes of dead letters leave it out.
alter table webhook_deliveries add column discarded boolean not null default false;

update webhook_deliveries set discarded = true where status = 'dead' and error = 'subscription deleted';

create index webhook_dead_letters on webhook_deliveries (died_at desc nulls last, id desc)
  where status = 'dead' and not discarded;
create index webhook_dead_letters_of_partner on webhook_deliveries
  (partner_id, coalesce(died_at, '-infinity') desc, id desc) where status = 'dead' and not discarded;
drop index webhook_deliveries_dead;
drop index webhook_deliveries_dead_of_partner;
