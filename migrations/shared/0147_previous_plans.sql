-- The plans of each supplier that its last import changed, as they were before it, so that the list before it can be imported again.
-- An import that changes nothing leaves them alone; the next one that changes something replaces them.
create table previous_plans (
  supplier_id integer not null,
  plan_id integer not null,
  -- Which import wrote the row. At its end it deletes the rows of the one before.
  import uuid not null,
  -- The row of `plans`. Null: that import added the plan.
  before jsonb,
  primary key (supplier_id, plan_id)
);
-- The list would have taken more than a fifth of the plans on sale off sale. It waits until an operator confirms it.
alter table catalog_imports add column is_held boolean not null default false;
