-- What a key and a partner may spend: a list of {"per": "order" | "hour" | "day" | "month", "amount": cents or null, "count": orders or
-- null}, one of the two set. They bind every way to spend.
alter table api_keys add column limits jsonb not null default '[]';
alter table partners add column limits jsonb not null default '[]';

create trigger api_keys_limited after update of limits on api_keys for each statement execute function notify_accounts();
create trigger partners_limited after update of limits on partners for each statement execute function notify_accounts();

-- The spending limit of agents' tools becomes a limit of its key. A limit for all time has no window that begins again: it becomes
-- what was left of it, per month.
update api_keys set limits = jsonb_build_array(jsonb_build_object('per', case spending_period when 'day' then 'day' else 'month' end,
  'amount', case when spending_period <> 'total' then spending_limit else greatest(1, spending_limit - coalesce(
    (select sum(cents) from agent_purchases where key_id = api_keys.id), 0)) end, 'count', null))
where spending_limit is not null;

-- Servers of the previous version set the old columns; as long as nothing else was set, the limit follows.
create function limits_of_spending(spending_limit bigint, spending_period text) returns jsonb language sql immutable as $$
  select case when spending_limit is null then '[]' else jsonb_build_array(jsonb_build_object(
    'per', case spending_period when 'day' then 'day' else 'month' end, 'amount', spending_limit, 'count', null)) end
$$;
create function follow_spending() returns trigger language plpgsql as $$
begin
  new.limits := shared.limits_of_spending(new.spending_limit, new.spending_period);
  return new;
end $$;
create trigger api_keys_spending before update of spending_limit, spending_period on api_keys for each row
  when ((old.spending_limit, old.spending_period) is distinct from (new.spending_limit, new.spending_period)
    and old.limits = new.limits and old.limits = limits_of_spending(old.spending_limit, old.spending_period))
  execute function follow_spending();
