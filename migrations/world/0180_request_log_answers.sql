-- What a call was answered, without secrets; null: nothing of it is kept. With its length, to tell whether that is all of it.
alter table request_log add column answer text, add column answer_length integer not null default 0;
