-- When an operator was last at the console, and when their visit before this one ended.
alter table staff add column seen_at timestamptz, add column left_at timestamptz;

-- What an operator dismissed on the console's home page. It is shown again once it is in another state.
create table staff_dismissals (
  operator_id integer not null references staff (id) on delete cascade,
  kind text not null,
  of text not null,
  state text not null,
  dismissed_at timestamptz not null,
  primary key (operator_id, kind, of)
);
