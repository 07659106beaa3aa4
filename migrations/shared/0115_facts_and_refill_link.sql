-- Within how many days of the purchase the eSIM has to be installed. Null: the supplier does not say.
alter table plans add column install_window_days integer;

-- As before, but Product rows now show minutes and messages, so a change of them counts.
create or replace function log_changed_plans() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  hidden constant text[] := '{supplier_plan,short_info,price_by_hand,cost_by_hand,on_sale_by_hand,is_held_back}';
  terms constant text[] := '{on_sale,list_price,cost}';
begin
  if not exists (select from was) then
    return null;
  end if;
  with both_rows as materialized (
    select was, to_jsonb(was) - hidden as before, to_jsonb(became) - hidden as after
    from was join became on became.id = was.id
  ), changed as materialized (
    select (was).id, (was).on_sale, (was).list_price, (was).cost,
      case when before - terms is distinct from after - terms then to_jsonb(was) end as before
    from both_rows where before is distinct from after
  ), made as materialized (
    select shared.next_catalog_state() as state where exists (select from changed)
  )
  insert into shared.plan_changes (plan_id, state, on_sale, list_price, cost, before)
  select changed.id, made.state, changed.on_sale, changed.list_price, changed.cost, changed.before from changed, made
  -- Changed twice in one transaction: the first time has the plan as it was.
  on conflict (plan_id, state) do update set before = coalesce(plan_changes.before, excluded.before);
  return null;
end $$;

-- Where a partner's travellers buy more data. `{iccid}` stands for the number of the eSIM. Empty: not set.
alter table brands add column refill_url text not null default '';
