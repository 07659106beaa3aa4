-- A refill is added to an eSIM that exists; it is never sold as an eSIM. Its supplier's codes of the plans it can be added to.
-- Null: the plan is an eSIM. A process of the previous version would list refills as eSIMs, and does not: it writes none.
alter table plans add column refills jsonb;
