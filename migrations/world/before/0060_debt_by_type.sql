-- The statement of a debt is read by type, the wallet's is not: a prepaid purchase needs no place here.
create index concurrently if not exists movements_of_debt_by_type on movements (partner_id, type, line) where book = 'debt';
