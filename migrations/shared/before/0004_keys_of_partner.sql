-- The panel lists a partner's keys, newest first, the revoked ones among them.
create index api_keys_of_partner_by_age on api_keys (partner_id, id desc);
