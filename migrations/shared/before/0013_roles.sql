-- What a member may do in the panel (src/accounts/roles.ts). The default is true of the members there are, and of those that a
-- server of the previous version adds during a rolling restart: until now every member could do everything.
alter table members add column role text not null default 'owner'
  check (role in ('owner', 'developer', 'finance', 'read-only'));
