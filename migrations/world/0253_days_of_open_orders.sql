-- A purchase notes its day once, when its order changes first, and not also when it is placed: passes look at new open orders
-- themselves. Orders that are closed from the beginning are noted as before.
create or replace trigger orders_placed after insert on orders for each row
when (new.provision_due_at is null)
execute function note_order_day();

drop function note_order_days_placed();
