-- Links to the page a traveller opens. The link of an eSIM is derived from its order and signed, so it needs no row: one appears
-- when the link is revoked or replaced, or when the page was opened.
create table share_links (
  -- The order that brought the eSIM.
  order_id bigint primary key references orders (id) on delete cascade,
  -- Part of the signed token. A new link has the next one, which ends the links before it.
  generation integer not null default 0 check (generation >= 0),
  -- Set: the link of this generation does not work any more, and there is no other.
  revoked_at timestamptz,
  -- How often the page was opened, and the installation started from it.
  views bigint not null default 0 check (views >= 0),
  installs_opened bigint not null default 0 check (installs_opened >= 0)
);
