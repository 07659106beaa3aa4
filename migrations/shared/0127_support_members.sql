-- Members may have the role `support`.
alter table members drop constraint members_role_check;
alter table members add constraint members_role_check
  check (role in ('owner', 'developer', 'finance', 'support', 'read-only'));
