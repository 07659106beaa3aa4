-- Whom invoices are made out to. A row is there once a partner, or its operator, has given any of it. Kept on every document as it was.
create table billing_details (
  partner_id integer primary key references partners (id),
  legal_name text not null default '',
  -- Lines, one below the other.
  address text not null default '',
  country text not null default '' check (country ~ '^([A-Z]{2})?$'),
  vat_id text not null default '',
  email text not null default '',
  -- Calendar days from the issue of an invoice on credit terms until it is due.
  net_days smallint not null default 30 check (net_days in (7, 14, 30, 60))
);
