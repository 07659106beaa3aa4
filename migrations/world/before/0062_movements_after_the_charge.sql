-- An order's charge is found by the index that allows only one; this one has what came after it.
create index concurrently if not exists movements_after_charge on movements (order_id)
  where order_id is not null and type not in ('purchase', 'charge');
