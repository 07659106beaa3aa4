-- The ICCIDs of eSIMs that were delivered before deliveries claimed them. Of orders that share one, the last delivered has it; an eSIM
-- that was withdrawn has none.
insert into sold_iccids as sold (iccid, order_id, at)
select distinct on (iccid) iccid, id, coalesce(delivered_at, created_at)
from orders where status = 1 and refill_of is null and iccid is not null and withdrawn_at is null
order by iccid, coalesce(delivered_at, created_at) desc, id desc
on conflict (iccid) do update set order_id = excluded.order_id, at = excluded.at where sold.at < excluded.at;
