-- The refunds of one partner in one state.
create index concurrently if not exists refunds_of_partner_by_status on refunds (partner_id, status, order_id desc);
