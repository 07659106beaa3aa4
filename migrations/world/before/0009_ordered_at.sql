-- When an order may last have gone out to its supplier. Suppliers show new orders late: until then "not found" says nothing, and
-- whichever process asks must know. Null: with the payment; -infinity: it surely did not.
alter table orders add column ordered_at timestamptz;
