-- What the supplier called its list when it was last imported, so that the next import can ask for what changed since. Null: it has no
-- such name, or the whole list is wanted again.
alter table suppliers add column list_version text;
