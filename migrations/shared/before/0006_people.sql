-- A person may belong to several partners. What proves who somebody is (their password, the networks they sign in from) moves
-- from members to people; a member is one person's place at one partner. Only the owner's connection reads these tables.

create table people (
  id integer generated always as identity primary key,
  email text not null check (email <> ''),
  -- scrypt with its parameters and salt.
  password_hash text not null
);

-- Not unique. Whoever holds an invitation sets its password, and nothing proves that the address is theirs: were an address one
-- person everywhere, a partner could take it by inviting it first, or learn from a refusal that another partner knows it.
create index people_by_email on people (lower(email));

insert into people (email, password_hash)
  select email, password_hash from members where password_hash is not null order by id;

-- Null until the invitation is accepted.
alter table members add column person_id integer references people (id);
update members set person_id = people.id
  from people where lower(people.email) = lower(members.email) and members.password_hash is not null;
alter table members drop column password_hash;

-- One address, one member of a partner, however it is capitalised.
drop index members_by_email;
create unique index members_by_email on members (partner_id, lower(email));
create index members_of_person on members (person_id, id);

-- Networks a person has signed in from: failures elsewhere do not lock them out there.
alter table sign_in_places add column person_id integer references people (id) on delete cascade;
update sign_in_places set person_id = members.person_id from members where members.id = sign_in_places.member_id;
delete from sign_in_places where person_id is null;
alter table sign_in_places drop column member_id;
alter table sign_in_places alter column person_id set not null, add primary key (person_id, source);
