-- By which repeated orders are forgotten.
create index concurrently if not exists airalo_repeats_by_time on airalo_repeats (at);
