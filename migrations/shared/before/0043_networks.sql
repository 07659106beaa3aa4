-- The table of mobile networks gets its name: operators are the people who run the service. A server of 0.1.0, which reads and writes
-- it as `operators` (also with `on conflict`), finds a view there that stands for the table. The release after drops the view.
alter table operators rename to networks;
alter index operators_pkey rename to networks_pkey;
alter index operators_once rename to networks_once;
alter sequence operators_id_seq rename to networks_id_seq;
alter trigger operators_changed on networks rename to networks_changed;
alter trigger operators_rewritten on networks rename to networks_rewritten;

create view operators as select id, details from networks;
