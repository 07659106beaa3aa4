-- Support gets a request id and no more. The ids of one process count up, so new entries go to the end of its range.
create index concurrently if not exists request_log_by_request on request_log (request_id);
