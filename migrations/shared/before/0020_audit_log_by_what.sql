-- The audit log by kind of change, of one person or, hopping from one to the next, of all, newest first.
create index concurrently if not exists audit_log_by_what on audit_log (what, who, at desc, id desc);
