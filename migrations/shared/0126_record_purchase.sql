-- The entry of a purchase that a member made in the panel, written with its charge. That transaction belongs to a world, whose role cannot
-- write the log; with its owner's rights this writes entries of one kind and no others.
create function record_purchase(who text, target text, after jsonb, partner_id int) returns void
language sql security definer set search_path = '' as $$
  insert into shared.audit_log (who, what, target, after, partner_id) values (who, 'order buy', target, after, partner_id)
$$;
