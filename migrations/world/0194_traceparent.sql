-- The request that caused an order or a delivery, as W3C Trace Context writes it, for the spans of what is done later. Null unless the
-- process that wrote it sends traces.
alter table orders add column traceparent text;
alter table webhook_deliveries add column traceparent text;
