-- What a restricted key may do (src/contract/key-permissions.ts). Null: it is not restricted. Chosen when the key is made, and never
-- changed.
alter table api_keys add column permissions text[]
  constraint api_keys_permissions_check
  check (cardinality(permissions) > 0 and permissions <@ array['read', 'buy', 'money', 'webhooks']);
