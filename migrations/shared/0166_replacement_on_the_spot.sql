-- Whether a partner's travellers may replace an eSIM that never worked by themselves.
alter table brands add column allows_replacement boolean not null default false;
