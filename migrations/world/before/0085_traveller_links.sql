-- Names that say what they hold. Everything here is younger than the last release, so no server of that version uses it.
alter table share_links rename to traveller_links;
alter index share_links_pkey rename to traveller_links_pkey;
alter table traveller_links rename constraint share_links_generation_check to traveller_links_generation_check;
alter table traveller_links rename constraint share_links_views_check to traveller_links_views_check;
alter table traveller_links rename constraint share_links_installs_opened_check to traveller_links_installs_opened_check;
alter table traveller_links rename constraint share_links_order_id_fkey to traveller_links_order_id_fkey;

alter table esim_events rename column told_at to published_at;
alter table wallets rename column balance_low_told to balance_low_events;
alter table wallets rename column topups_told to topup_events;
