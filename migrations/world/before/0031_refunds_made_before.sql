-- Refunds of delivered orders that operators made before a refund had a row of its own: their orders are marked, and partners read
-- them like any other. The movements are what counts; this only repeats them. A failed order's money is not a refund in this sense.
with given as (
  select order_id, partner_id, sum(abs(amount))::bigint as amount, min(at) as first_at, max(at) as last_at,
    (array_agg(note order by id desc))[1] as note
  from movements where type = 'refund' and order_id is not null
  group by order_id, partner_id
), marked as (
  update orders set refunded = given.amount from given
  where orders.id = given.order_id and orders.status = 1
  returning orders.id
)
insert into refunds (order_id, partner_id, status, amount, note, requested_at, decided_at)
select order_id, partner_id, 'refunded', amount, note, first_at, last_at from given join marked on marked.id = given.order_id
on conflict (order_id) do nothing;
