-- A row is what the lines of one kind in a partner's book come to, from the first up to `line`, which is a multiple of a thousand: so what
-- any of its lines come to is the difference of two such rows, and a few lines at both ends. Lines are never changed, so neither are
-- these. A job adds them (src/books/book-sums.ts).
create table book_sums (
  partner_id integer not null,
  book text not null,
  line bigint not null,
  type text not null,
  is_increase boolean not null,
  count bigint not null,
  amount bigint not null,
  primary key (partner_id, book, line, type, is_increase)
);
