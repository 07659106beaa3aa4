-- What agents may spend with a key (src/panel/mcp/). Without a limit they can only read. The API itself has no such limit.
alter table api_keys
  add column spending_limit bigint check (spending_limit > 0),
  add column spending_period text check (spending_period in ('day', 'month', 'total')),
  add constraint api_keys_spending_check check ((spending_limit is null) = (spending_period is null));

-- Each purchase an agent confirmed, written before it is charged: while it is here it counts towards the key's limit.
create table agent_purchases (
  -- The idempotency key of the purchase.
  id text primary key,
  key_id integer not null references api_keys (id),
  cents bigint not null check (cents > 0),
  made_at timestamptz not null,
  -- One call at a time works on it, until then; null: none does.
  claimed_until timestamptz,
  -- It was charged. Otherwise it may have been: whether an order has its key tells.
  is_settled boolean not null default false
);
create index agent_purchases_of_key on agent_purchases (key_id, made_at);
create index agent_purchases_open on agent_purchases (key_id) where not is_settled;
