-- What replacements of a partner's eSIMs may cost the operator per calendar month before a person decides, in cents and in each world.
alter table partners add column replacement_budget bigint not null default 0 check (replacement_budget >= 0);
