-- A top-up can lift the partner's share tier: tell every process to look again.

create function notify_topup() returns trigger language plpgsql as $$
begin
  perform pg_notify('wayfare_pricing', new.partner_id::text);
  return null;
end $$;

create trigger movements_topup after insert on movements
  for each row when (new.book = 'wallet' and new.type = 'topup') execute function notify_topup();

-- Top-ups inside a window, summed from the index alone.
create index movements_topups on movements (partner_id, at) include (amount) where book = 'wallet' and type = 'topup';
