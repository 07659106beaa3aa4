-- Logos may be WebP pictures too.
alter table brands drop constraint brands_logo_type_check;
alter table brands add constraint brands_logo_type_check check (logo_type in ('image/png', 'image/svg+xml', 'image/webp'));
