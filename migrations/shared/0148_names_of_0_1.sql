-- Servers of 0.1.0 read networks as `operators`. The previous release does not.
drop view if exists operators;
-- Only the previous release and this one write the column, and both keep to the rule.
alter table api_keys validate constraint api_keys_sealed_check;
