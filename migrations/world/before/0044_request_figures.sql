-- API requests in sum, by hour, endpoint and status. The requests themselves are kept for days only.
create table request_figures (
  partner_id integer not null,
  -- Real time: the test clock does not change when a request was made.
  hour timestamptz not null,
  endpoint text not null,
  status smallint not null,
  requests integer not null,
  primary key (partner_id, hour, endpoint, status)
);
