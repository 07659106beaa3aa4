import type { Db, Tx } from '../db/database.ts';
import { raw, type Sql, sql } from '../db/query/sql.ts';
import type { Vault } from '../vault/secrets.ts';
import { finderOf, type Subject, worlds } from './finder.ts';
import { type Place, sharedPlaces, worldPlaces } from './places.ts';

/*
 * Shows or erases everything that is stored about somebody (`places.ts`). Both run on the owner's connection, since they go through
 * tables of every room, like the rotation of the secret.
 *
 * Erasing works in small transactions. Each leaves the database in order, and repeating it changes nothing, so a run that was killed is
 * finished by the next one.
 */

export type { Subject } from './finder.ts';

interface Parts {
  readonly db: Db;
  readonly vault: Vault;
}

interface Stop {
  readonly place: Place;
  readonly name: string;
  readonly table: Sql;
  readonly rows: Sql;
  readonly find: ReturnType<typeof finderOf>;
}

/** The tables in which something of the subject may be, in the order in which they are erased. */
async function stopsOf({ db, vault }: Parts, subject: Subject): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (const schema of ['shared', ...worlds] as const) {
    const isShared = schema === 'shared';
    const helpIds = isShared || subject.kind !== 'email' ? [] : await helpOf(db, vault, schema, subject.value);
    const find = finderOf(subject, schema, helpIds);
    for (const place of isShared ? sharedPlaces : worldPlaces) {
      const rows = place.rows(find);
      const name = `${schema}.${place.table}`;
      if (rows) stops.push({ place, name, table: raw(name), rows: sql`(${rows})`, find });
    }
  }
  return stops;
}

const READ_AT_ONCE = 500;

/** Requests for help that were sent with an address, which is sealed. */
async function helpOf(db: Db, vault: Vault, schema: string, address: string): Promise<bigint[]> {
  const found: bigint[] = [];
  for (let after = 0n; ; ) {
    const rows = await db.query<{ id: bigint; sealed: Buffer }>(sql`
      select id, sealed from ${raw(`${schema}.help_requests`)} where id > ${after} order by id limit ${READ_AT_ONCE}`);
    for (const { id, sealed } of rows)
      if (JSON.parse(vault.open(sealed)).email.toLowerCase() === address.toLowerCase()) found.push(id);
    const last = rows.at(-1);
    if (!last) return found;
    after = last.id;
  }
}

/** Columns that leave nothing: hashes and keys, with which somebody could sign in. */
const SECRET = /hash|secret|password|signature|token/;

/**
 * Everything about the subject, table by table, as one state of the database. Sealed texts are opened; activation data is there as long as
 * its key is. Keys, hashes and passwords are left out.
 */
export async function exportOf(parts: Parts, subject: Subject, most: number) {
  const stops = await stopsOf(parts, subject);
  return parts.db.tx(async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read, read only`);
    const data: Record<string, object[]> = {};
    let count = 0;
    for (const stop of stops) {
      const rows = await rowsOf(tx, parts.vault, stop, most - count + 1);
      count += rows.length;
      if (count > most) return undefined;
      if (rows.length > 0) data[stop.name] = rows;
    }
    return data;
  });
}

async function rowsOf(tx: Tx, vault: Vault, { place, table, rows, name }: Stop, most: number): Promise<object[]> {
  const isOrder = place.table === 'orders';
  const key = isOrder
    ? sql`(select k.sealed from ${raw(`${name.split('.')[0]}.esim_keys`)} k where k.id = t.id)`
    : sql`null::bytea`;
  const sealed = isOrder ? sql`array[t.esim]` : sql`array[${columnsOf(place.opens ?? [])}]::bytea[]`;
  const found = await tx.query<{ row: Record<string, unknown>; sealed: (Buffer | null)[]; key: Buffer | null }>(sql`
    select to_jsonb(t) as row, ${sealed} as sealed, ${key} as key from ${table} t where ${rows} limit ${most}`);
  return found.map(({ row, sealed: given, key: own }) => {
    const open = Object.entries(row).filter(([field, value]) => !SECRET.test(field) && !isBytes(value));
    const texts = (place.opens ?? []).map((field, i) => [field, textOf(vault, given[i] ?? null, null)]);
    const activation = isOrder ? [['activation', textOf(vault, given[0] ?? null, own)]] : [];
    return Object.fromEntries([...open, ...texts, ...activation]);
  });
}

const columnsOf = (names: readonly string[]): Sql =>
  names.length === 0 ? sql`` : names.map((name) => raw(`t.${name}`)).reduce((a, b) => sql`${a}, ${b}`);
/** As PostgreSQL writes bytes into JSON. */
const isBytes = (value: unknown): boolean => typeof value === 'string' && /^\\x([0-9a-f]{2})*$/.test(value);

function textOf(vault: Vault, sealed: Buffer | null, key: Buffer | null): unknown {
  const text = sealed && vault.openApart({ sealed, key });
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const ERASED_AT_ONCE = 500;

/** `stepDone` is called after each transaction. */
export async function erase(parts: Parts, subject: Subject, stepDone: (table: string) => void = () => {}) {
  const stops = await stopsOf(parts, subject);
  /** Rows that were changed or deleted, by table. */
  const erased: Record<string, number> = {};
  for (const stop of stops)
    for (let rows = ERASED_AT_ONCE; rows === ERASED_AT_ONCE; ) {
      rows = await eraseSome(parts, stop);
      if (rows > 0) erased[stop.name] = (erased[stop.name] ?? 0) + rows;
      stepDone(stop.name);
    }
  /** What is still there, and why. */
  const kept: { readonly table: string; readonly rows: number; readonly why: string }[] = [];
  for (const { place, name, table, rows } of stops) {
    const why = place.kept ?? (place.only && 'still in use: erase again once it is not');
    if (!why) continue;
    const left = place.only ? sql`${rows} and not (${place.only})` : rows;
    const { count } = await parts.db.one<{ count: number }>(sql`
      select count(*)::int as count from ${table} t where ${left}`);
    if (count > 0) kept.push({ table: name, rows: count, why });
  }
  return { erased, kept };
}

async function eraseSome({ db, vault }: Parts, { place, table, rows, find }: Stop): Promise<number> {
  const values = typeof place.erase === 'function' ? place.erase(find, vault) : place.erase;
  if (!values) return 0;
  const only = place.only ?? sql`true`;
  // A row is named by its place, which is right until the end of the statement: the lock is taken by then.
  const pick = (pending: Sql) => sql`
    select tableoid as of, ctid as at from ${table} t where ${rows} and ${only} and (${pending}) limit ${ERASED_AT_ONCE} for update`;
  if (values === 'delete')
    return db.run(sql`
      with picked as materialized (${pick(sql`true`)})
      delete from ${table} t using picked where t.ctid = picked.at and t.tableoid = picked.of`);
  const names = Object.entries(values);
  const differs = names.map(([name, value]) => sql`${raw(`t.${name}`)} is distinct from ${value}`);
  const given = typeof place.pending === 'function' ? place.pending(find) : place.pending;
  const pending = given ?? differs.reduce((a, b) => sql`${a} or ${b}`);
  const set = names.map(([name, value]) => sql`${raw(name)} = ${value}`).reduce((a, b) => sql`${a}, ${b}`);
  return db.run(sql`
    with picked as materialized (${pick(pending)})
    update ${table} t set ${set} from picked where t.ctid = picked.at and t.tableoid = picked.of`);
}
