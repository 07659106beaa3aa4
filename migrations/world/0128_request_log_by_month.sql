-- The log of API calls, in partitions by month (docs/decisions/0011). No row is copied: the table so far becomes the partition of
-- everything up to the end of next month, and a job makes the months after that (src/jobs/partitions.ts). In a database that is in use,
-- the index is built and `request_log_until` proved beforehand (src/db/partition-move.ts), so that nothing here reads the rows.
alter table request_log rename to request_log_before;
alter table request_log_before drop constraint request_log_pkey;
create unique index if not exists request_log_before_key on request_log_before (partner_id, id, at);
alter table request_log_before add constraint request_log_before_pkey primary key using index request_log_before_key;
alter index if exists request_log_by_request rename to request_log_before_by_request;

create table request_log (like request_log_before, primary key (partner_id, id, at)) partition by range (at);
create index request_log_by_request on request_log (request_id);
-- What no month takes: a wrong clock, or months that nobody made.
create table if not exists request_log_default (like request_log including constraints)
  with (autovacuum_vacuum_scale_factor = 0.05);

do $$
declare
  ids record;
  until timestamptz := coalesce(
    (select substring(pg_get_constraintdef(oid) from '''(.+)''')::timestamptz from pg_constraint
      where conrelid = 'request_log_before'::regclass and conname = 'request_log_until'),
    (date_trunc('month', now() at time zone 'utc') + interval '2 months') at time zone 'utc');
begin
  select last_value, is_called into ids from request_log_id_seq;
  alter table request_log_before alter id drop identity;
  alter table request_log alter id add generated always as identity;
  perform setval('request_log_id_seq', ids.last_value, ids.is_called);
  execute format('alter table request_log attach partition request_log_before for values from (minvalue) to (%L)', until);
  alter table request_log attach partition request_log_default default;
end $$;
alter table request_log_before drop constraint if exists request_log_until;
