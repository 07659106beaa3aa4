-- A sandbox key as its partner's developers see it in the samples of the reference, sealed. It moves no money; a live key is stored as
-- a hash only. Null: it is restricted, was revoked, or was made before.
alter table api_keys add column sealed bytea;
alter table api_keys add constraint api_keys_sealed_check check (sealed is null or mode = 'sandbox') not valid;
