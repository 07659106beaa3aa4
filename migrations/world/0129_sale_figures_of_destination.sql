create index concurrently if not exists sale_figures_of_destination on sale_figures (destination, day, partner_id) include (supplier, orders);
