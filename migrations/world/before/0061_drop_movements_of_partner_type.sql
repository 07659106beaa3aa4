-- The index of debts by type replaces it.
drop index concurrently if exists movements_of_partner_type;
