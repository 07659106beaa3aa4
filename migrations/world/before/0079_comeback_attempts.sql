-- Attempts made to find out whether a receiver is back. They are in the log, and not among the five.
alter table webhook_deliveries add column comeback_tries smallint not null default 0;
