-- Test clocks: how far the time of an account's data is ahead of the real one. Live time is the real time, whoever writes.

create table account_clocks (
  partner_id integer primary key references shared.partners (id),
  ahead interval not null check (ahead > interval '0' and ahead <= interval '730 days')
);

create function refuse_clock() returns trigger language plpgsql as $$
begin
  if tg_table_schema <> 'sandbox' then
    raise exception 'only sandbox time can be turned' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger account_clocks_sandbox_only before insert or update on account_clocks
  for each row execute function refuse_clock();
-- The clock rides on the keys every process remembers.
create trigger account_clocks_turned after insert or update or delete on account_clocks
  for each statement execute function shared.notify_accounts();
