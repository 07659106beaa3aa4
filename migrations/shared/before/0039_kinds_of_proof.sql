-- `new` proves what was written since the last whole proof, and the totals. Up to here, all proofs were whole.
alter table proofs add column kind text not null default 'whole' check (kind in ('whole', 'new'));
