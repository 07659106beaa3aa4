-- Which API key bought it. Null: it was bought before this was recorded. No index: purchases would pay for it, and a list by key can
-- read the partner's newest orders instead.
alter table orders add column key_id integer;
