-- What the supplier says it charged for the eSIM; null: it does not say. Compared with `cost_micros`, the cost we expected. An
-- expected cost of zero was not known, so there is nothing to compare.
alter table orders add column charged_micros bigint;
-- Not validated: every row that exists has none, and reading them all would hold up purchases.
alter table orders add constraint orders_charged_micros_check check (charged_micros >= 0) not valid;
