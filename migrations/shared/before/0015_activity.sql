-- The activity of a partner is what the audit log says about it, newest first. Entries that are older than this column get it
-- from their content.
alter table audit_log add column partner_id integer;

update audit_log set partner_id = coalesce(substring(target from '^partner (\d{1,9})$'), after ->> 'partner_id',
  after ->> 'partnerId', before ->> 'partner_id')::integer
  where coalesce(substring(target from '^partner (\d{1,9})$'), after ->> 'partner_id', after ->> 'partnerId',
    before ->> 'partner_id') ~ '^\d{1,9}$';

create index audit_log_of_partner on audit_log (partner_id, id desc) where partner_id is not null;

-- What partners call their keys, and what they want to remember about them.
alter table api_keys add column name text not null default '', add column note text not null default '';
