-- A key may have a client id and a secret, with which software made for Airalo gets tokens that carry the key. The secret is sealed, not
-- hashed, because it signs requests and webhooks; it goes when the key is revoked.
alter table api_keys add column client_id text;
alter table api_keys add column client_secret bytea;
create unique index api_keys_by_client on api_keys (client_id) where client_id is not null;
