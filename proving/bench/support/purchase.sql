-- A purchase as bare SQL, one statement after the other: what its two transactions write, with no program around them.
\set partner random(1, :partners)
begin;
select cash from wallets where partner_id = :partner for update;
insert into orders (partner_id, plan_id, product_id, status, billing_mode, product_price, sale_price, cost_micros, product_title,
  data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, provision_due_at, created_at, paid_at)
values (:partner, 1, 'esc_0000000000000000', 4, 'prepaid', 149, 149, 900000, 'Bench 1 GB 7 days', '1 GB', 1024, 7, false, 'FR',
  'bench', 'bench-1', now() + interval '21 seconds', now(), now()) returning id as order_id \gset
update wallets set cash = cash - 149, wallet_lines = wallet_lines + 1 where partner_id = :partner
returning cash, wallet_lines \gset
insert into movements (partner_id, book, type, amount, balance_after, order_id, note, at, line)
values (:partner, 'wallet', 'purchase', -149, :cash, :order_id, 'Bench 1 GB 7 days', now(), :wallet_lines)
returning id as movement_id \gset
insert into transfers (movement_id, partner_id, debit, credit, amount) values (:movement_id, :partner, 'cash', 'revenue', 149);
select id, events from webhook_subscriptions where partner_id = :partner and status <> 3 and deleted_at is null;
commit;
begin;
update orders set status = 1, delivery = 'delivered', supplier_order = 'S1', esim = decode(repeat('00', 400), 'hex'),
  iccid = '8944538' || :order_id, provision_due_at = null, delivered_at = now() where id = :order_id and status = 4;
select id, events from webhook_subscriptions where partner_id = :partner and status <> 3 and deleted_at is null;
commit;
