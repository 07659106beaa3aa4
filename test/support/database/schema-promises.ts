import type pg from 'pg';

/** What a program relies on when it uses a schema, one fact per thing. */
export interface SchemaPromises {
  readonly columns: ReadonlyMap<string, Column>;
  /** Unique keys, by their definition without the index's name: `on conflict` finds them by that. */
  readonly uniques: ReadonlyMap<string, Rule>;
  /** Checks, foreign keys and triggers, by name: what can refuse or change a write. */
  readonly rules: ReadonlyMap<string, Rule>;
  /** Functions with their result, sequences, and the rights of the worlds' roles. */
  readonly others: ReadonlySet<string>;
}

interface Column {
  readonly table: string;
  readonly type: string;
  readonly notNull: boolean;
  /** An insert may leave it out. */
  readonly fills: boolean;
  /** An insert must leave it out. */
  readonly generated: boolean;
}

interface Rule {
  readonly table: string;
  readonly columns: readonly string[];
  readonly definition: string;
}

const OURS = `n.nspname in ('shared', 'live', 'sandbox', 'simulated')`;
const TABLES = `pg_class c join pg_namespace n on n.oid = c.relnamespace and ${OURS} and c.relkind in ('r', 'p')`;
const TABLE = `format('%s.%s', n.nspname, c.relname)`;
const columnsIn = (keys: string) => `array(
  select ${TABLE} || '.' || attname from pg_attribute where attrelid = c.oid and attnum = any(${keys}))`;

export async function promisesOf(client: pg.Client): Promise<SchemaPromises> {
  const byName = async <T extends object>(query: string): Promise<Map<string, T>> =>
    new Map((await client.query<T & { name: string }>(query)).rows.map((row) => [row.name, row]));
  const columns = await byName<Column>(`
    select ${TABLE} || '.' || a.attname as name, ${TABLE} as table, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as "notNull", a.atthasdef or a.attidentity <> '' as fills, a.attgenerated <> '' as generated
    from ${TABLES} join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`);
  const uniques = await byName<Rule>(`
    select regexp_replace(pg_get_indexdef(i.indexrelid), ' INDEX \\S+ ON ', ' INDEX ON ') as name, '' as definition,
      ${TABLE} as table, ${columnsIn('i.indkey')} as columns
    from ${TABLES} join pg_index i on i.indrelid = c.oid and i.indisunique`);
  const rules = await byName<Rule>(`
    select format('%s %s', ${TABLE}, k.conname) as name, ${TABLE} as table, ${columnsIn('k.conkey')} as columns,
      pg_get_constraintdef(k.oid) as definition
    from ${TABLES} join pg_constraint k on k.conrelid = c.oid and k.contype in ('c', 'f', 'x')
    union all
    select format('%s %s', ${TABLE}, t.tgname), ${TABLE}, '{}', pg_get_triggerdef(t.oid)
    from ${TABLES} join pg_trigger t on t.tgrelid = c.oid and not t.tgisinternal`);
  const others = await byName(`
    select format('function %s(%s) returns %s', p.oid::regproc, pg_get_function_identity_arguments(p.oid),
      pg_get_function_result(p.oid)) as name
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace and ${OURS}
    union all
    select format('sequence %I.%I', n.nspname, c.relname)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace and ${OURS} and c.relkind = 'S'
    union all
    select format('%s may %s %I.%I', grantee::regrole, lower(privilege_type), n.nspname, c.relname)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace and ${OURS}, aclexplode(c.relacl)
    where grantee <> c.relowner and grantee <> 0`);
  const { rows: views } = await client.query<View>(`
    select format('%s.%s', view_schema, view_name) as view, format('%s.%s', used.table_schema, used.table_name) as table,
      array_agg(column_name::text) as columns
    from information_schema.view_column_usage used join information_schema.views made
      on (made.table_schema, made.table_name) = (view_schema, view_name) and is_insertable_into = 'YES'
    where view_schema in ('shared', 'live', 'sandbox', 'simulated') group by 1, 2`);
  for (const { view, table, columns: shown } of views) {
    const renamed = (text: string) => text.replaceAll(new RegExp(`\\b${table}\\b`, 'g'), view);
    const asView = (rule: Rule): Rule => ({
      table: renamed(rule.table),
      columns: rule.columns.map(renamed),
      definition: renamed(rule.definition),
    });
    for (const column of shown) {
      const found = columns.get(`${table}.${column}`);
      if (found) columns.set(`${view}.${column}`, { ...found, table: view });
    }
    for (const [name, rule] of [...uniques]) if (rule.table === table) uniques.set(renamed(name), asView(rule));
    // Also the foreign keys that refer to it.
    for (const [name, rule] of [...rules]) rules.set(renamed(name), asView(rule));
  }
  return { columns, uniques, rules, others: new Set(others.keys()) };
}

/** A view that can be written like its table is that table under an earlier name: what holds for the table holds for the view. */
interface View {
  readonly view: string;
  readonly table: string;
  readonly columns: readonly string[];
}

/** What a program written for `before` could miss or be refused in `after`; empty if the schema only grew. */
export function brokenPromises(before: SchemaPromises, after: SchemaPromises): string[] {
  const tables = new Set([...before.columns.values()].map(({ table }) => table));
  const found: string[] = [];
  for (const [name, was] of before.columns) {
    const is = after.columns.get(name);
    if (!is) found.push(`${name} is gone`);
    else if (is.type !== was.type) found.push(`${name} was ${was.type} and is ${is.type}`);
    else if (is.notNull && !was.notNull) found.push(`${name} no longer accepts null`);
    else if (is.notNull && was.fills && !is.fills) found.push(`${name} has lost its default`);
    else if (is.generated && !was.generated) found.push(`${name} can no longer be written`);
  }
  for (const [name, { table, notNull, fills }] of after.columns) {
    const isNew = tables.has(table) && !before.columns.has(name);
    if (isNew && notNull && !fills) found.push(`${name} must be given by every insert`);
  }
  // A rule on new columns alone concerns nothing that the previous version writes.
  const touchesOld = ({ table, columns }: Rule) =>
    tables.has(table) && (columns.length === 0 || columns.some((column) => before.columns.has(column)));
  for (const name of before.uniques.keys()) if (!after.uniques.has(name)) found.push(`unique key is gone: ${name}`);
  for (const [name, rule] of after.uniques)
    if (!before.uniques.has(name) && touchesOld(rule)) found.push(`unique key is new: ${name}`);
  for (const [name, rule] of after.rules)
    if (before.rules.get(name)?.definition !== rule.definition && touchesOld(rule))
      found.push(`rule is new or has changed: ${name}`);
  for (const name of before.others) if (!after.others.has(name)) found.push(`${name}: gone`);
  return found;
}
