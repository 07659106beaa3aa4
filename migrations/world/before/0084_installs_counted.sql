-- When an install was last counted, so that several processes together count one a minute and link.
alter table share_links add column installed_at timestamptz;
