-- The program knows which kinds of supplier there are and refuses an import of any other (src/catalog/import-format.ts).
alter table suppliers drop constraint if exists suppliers_kind_check;
