-- Cancelled orders are counted apart from failed ones. Deleting the row has every day counted again.
alter table partner_sales_by_day add column cancelled int not null default 0;
alter table sales_by_day add column cancelled bigint not null default 0;
delete from sales_by_day_progress;

-- An order whose supplier took its eSIM back becomes cancelled without another change that its day is counted again for.
create trigger orders_handed_back after update on orders for each row
when (old.status = new.status and new.cancel_status = 'cancelled' and old.cancel_status is distinct from new.cancel_status)
execute function note_order_day();
