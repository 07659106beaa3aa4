-- Filters of a list under a name, of a member in the panel or an operator in the console. They go with the person's place.
create table saved_views (
  id bigint generated always as identity primary key,
  member_id integer references members on delete cascade,
  operator_id integer references staff on delete cascade,
  -- The list they are of, e.g. `orders`.
  list text not null check (char_length(list) between 1 and 40),
  name text not null check (char_length(name) between 1 and 60),
  -- By the names that the list has for them in its address.
  filters jsonb not null check (jsonb_typeof(filters) = 'object'),
  created_at timestamptz not null,
  check (num_nonnulls(member_id, operator_id) = 1)
);

create unique index saved_views_of_member on saved_views (member_id, list, lower(name)) where member_id is not null;
create unique index saved_views_of_operator on saved_views (operator_id, list, lower(name)) where operator_id is not null;
