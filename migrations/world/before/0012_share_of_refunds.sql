-- A share counts only what was not refunded. `full_amount` is the share of the whole sale; `amount` is the part of it that
-- belongs to what the partner still pays for. Null: worked out before refunds counted, so the audit cannot judge it.
alter table revenue_shares add column full_amount bigint;
