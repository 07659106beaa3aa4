-- When the customer suspended the eSIM; null: it is in service.
alter table orders add column suspended_at timestamptz;
