-- The lines of each book of a wallet, numbered from 1 without a gap: a page is a range of numbers, found at once however far
-- back it lies. Whoever writes a line holds the wallet, so it also holds the count.

alter table wallets
  add column wallet_lines bigint not null default 0,
  add column debt_lines bigint not null default 0;

alter table movements add column line bigint;

-- Numbering is no change of what was recorded, so the one rewrite ever made is let through.
alter table movements disable trigger movements_append_only;
update movements set line = numbered.line
from (select id, row_number() over (partition by partner_id, book order by id) as line from movements) numbered
where movements.id = numbered.id;
alter table movements enable trigger movements_append_only;

update wallets set
  wallet_lines = (select count(*) from movements where partner_id = wallets.partner_id and book = 'wallet'),
  debt_lines = (select count(*) from movements where partner_id = wallets.partner_id and book = 'debt');

alter table movements alter column line set not null;

drop index movements_of_partner;
drop index movements_of_partner_type;
create unique index movements_of_partner on movements (partner_id, book, line);
create index movements_of_partner_type on movements (partner_id, book, type, line);
