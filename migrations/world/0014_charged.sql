-- What the supplier says it charged for the eSIM; null: it does not say. Compared with `cost_micros`, the cost we expected. An
-- expected cost of zero was not known, so there is nothing to compare.
alter table orders add column charged_micros bigint check (charged_micros >= 0);

-- Few orders differ, so this costs the others nothing.
create index orders_charged_otherwise on orders (id) where charged_micros <> cost_micros and cost_micros > 0;
