-- The program knows which kinds of supplier there are and refuses an import of any other (src/catalog/import-format.ts). A list of them
-- here would have to change with every adapter.
alter table suppliers drop constraint if exists suppliers_kind_check;
