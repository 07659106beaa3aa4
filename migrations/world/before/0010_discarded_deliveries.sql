-- A delivery that was dropped on purpose (its subscription was deleted, or the held ones were discarded) is dead, but it is not a
-- dead letter: there is nothing to investigate. The indexes of dead letters leave it out. Those of the previous
-- version stay for as long as a server of that version may run; they hold dead rows only and cost next to nothing.
alter table webhook_deliveries add column discarded boolean not null default false;

update webhook_deliveries set discarded = true where status = 'dead' and error = 'subscription deleted';
