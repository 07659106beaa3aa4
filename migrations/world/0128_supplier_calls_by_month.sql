-- Calls to suppliers, in partitions by month: as `0128_request_log_by_month.sql` says.
alter table supplier_calls rename to supplier_calls_before;
alter table supplier_calls_before drop constraint supplier_calls_pkey;
create unique index if not exists supplier_calls_before_key on supplier_calls_before (id, at);
alter table supplier_calls_before add constraint supplier_calls_before_pkey primary key using index supplier_calls_before_key;
alter index if exists supplier_calls_of_order rename to supplier_calls_before_of_order;

create table supplier_calls (
  like supplier_calls_before,
  constraint supplier_calls_operation_check check (operation in ('order', 'find', 'withdraw')),
  primary key (id, at)
) partition by range (at);
create index supplier_calls_of_order on supplier_calls (order_id, id);
-- What no month takes: a wrong clock, or months that nobody made.
create table if not exists supplier_calls_default (like supplier_calls including constraints)
  with (autovacuum_vacuum_scale_factor = 0.05);

do $$
declare
  ids record;
  until timestamptz := coalesce(
    (select substring(pg_get_constraintdef(oid) from '''(.+)''')::timestamptz from pg_constraint
      where conrelid = 'supplier_calls_before'::regclass and conname = 'supplier_calls_until'),
    (date_trunc('month', now() at time zone 'utc') + interval '2 months') at time zone 'utc');
begin
  select last_value, is_called into ids from supplier_calls_id_seq;
  alter table supplier_calls_before alter id drop identity;
  alter table supplier_calls alter id add generated always as identity;
  perform setval('supplier_calls_id_seq', ids.last_value, ids.is_called);
  execute format('alter table supplier_calls attach partition supplier_calls_before for values from (minvalue) to (%L)', until);
  alter table supplier_calls attach partition supplier_calls_default default;
end $$;
alter table supplier_calls_before drop constraint if exists supplier_calls_until;
