-- Who changed what, newest first: what was done to one thing, by one person, or both.
create index audit_log_of_target on audit_log (target, at desc, id desc);
create index audit_log_by_who on audit_log (who, at desc, id desc);
create index audit_log_of_target_by_who on audit_log (target, who, at desc, id desc);
