-- What partners sell for, which only their panel knows: the API has no retail price (src/retail/).
create table retail_terms (
  partner_id integer primary key references partners,
  -- Retail prices are in this currency; a US dollar is this many millionths of it.
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  rate_micros bigint not null default 1000000 check (rate_micros > 0),
  -- On what the partner pays, in hundredths of a percent; null: none.
  markup_bp integer check (markup_bp between 0 and 100000),
  -- How prices end (src/retail/formula.ts).
  ending text not null default 'none',
  check (currency <> 'USD' or rate_micros = 1000000)
);

-- Exceptions: a markup for a destination, or a price for a plan, in the currency it was typed in.
create table retail_prices (
  partner_id integer not null references partners,
  scope text not null check (scope in ('destination', 'plan')),
  -- A destination's code, or a plan's id.
  target text not null,
  markup_bp integer check (markup_bp between 0 and 100000),
  price bigint check (price > 0),
  currency text,
  primary key (partner_id, scope, target),
  check ((scope = 'destination') = (markup_bp is not null)),
  check ((scope = 'plan') = (price is not null and currency is not null))
);
