import { raw, Sql } from './sql.ts';

/**
 * The columns of a table, described once for statements that name them more than once.
 *
 * A bulk insert repeats its columns: in the insert list, in the select list, as one typed array per column, as the names of the
 * unnested line, and perhaps in `do update set`. Written by hand these lists drift apart, and a column in the wrong place is
 * found only when its type differs. Here each column says its type and what a source puts into it; the lists derive from that:
 *
 *     const lines = columnsOf<Decision>()({
 *       id: ['bigint', ({ orderId }) => orderId],
 *       partner_id: ['int', ({ wanted }) => wanted.partnerId],
 *       events_ahead: ['text', ({ ahead }) => ahead.join(), `string_to_array(events_ahead, ',')`],
 *     });
 *     const insertLines = lines.statement(sql`
 *       insert into orders (${lines.names}) select ${lines.stored} from ${lines.unnested} order by id`);
 *     await tx.run(insertLines(decisions));
 *
 * The statement's text is put together once, when the module loads. A call only fills the arrays, so it costs no more than a
 * statement written out in full.
 */
export interface Columns<Source, C extends Described<Source>> {
  readonly described: C;
  /** `id, partner_id, …` */
  readonly names: Sql;
  /** What an insert selects from `unnested`: the column, or the expression that makes it. */
  readonly stored: Sql;
  /** `unnest($1::bigint[], …) as line (id, …)`; only inside `statement`, which fills the arrays. */
  readonly unnested: Sql;
  /** `partner_id = excluded.partner_id, …` without the columns an update leaves alone. */
  assigned(except: readonly (keyof C)[]): Sql;
  /** `excluded.id, excluded.partner_id, …` */
  of(table: string): Sql;
  /** Any other list: `write` gets a column's name and type. */
  list(write: (name: string, type: string) => string): Sql;
  statement(written: Sql): (sources: readonly Source[]) => Sql;
}

/**
 * The type in SQL, what a source puts there, and how that is stored where it is not the value itself: an array of arrays cannot
 * be unnested, so a list travels as one text.
 */
export type Column<Source> = readonly [type: string, fill: (source: Source) => unknown, stored?: string];

type Described<Source> = Readonly<Record<string, Column<Source>>>;

export type RowOf<T> =
  T extends Columns<never, infer C> ? { readonly [Name in keyof C]: ReturnType<C[Name][1]> } : never;

/** JSON travels as text, whose arrays are sent without escapes. */
const isJson = (type: string): boolean => type === 'json' || type === 'jsonb';

/** Marks the place of one column's array until a call knows the sources. */
class Slot<Source> {
  readonly fill: (source: Source) => unknown;

  constructor(fill: (source: Source) => unknown) {
    this.fill = fill;
  }
}

/** Called twice, because TypeScript cannot be given `Source` and still infer the columns: `columnsOf<Plan>()({ … })`. */
export const columnsOf =
  <Source>() =>
  <const C extends Described<Source>>(described: C): Columns<Source, C> => {
    const columns = Object.entries(described);
    const list = (write: (name: string, type: string) => string): Sql =>
      raw(columns.map(([name, [type]]) => write(name, type)).join(', '));
    const casts = columns.map(([, [type]]) => `::${isJson(type) ? 'text' : type}[]`);
    const line = `) as line (${Object.keys(described).join(', ')})`;
    return {
      described,
      names: list((name) => name),
      stored: raw(
        columns.map(([name, [type, , stored]]) => stored ?? (isJson(type) ? `${name}::${type}` : name)).join(', '),
      ),
      unnested: new Sql(
        ['unnest(', ...casts.map((cast, i) => (i < casts.length - 1 ? `${cast}, ` : `${cast}${line}`))],
        columns.map(([, [, fill]]) => new Slot(fill)),
      ),
      assigned: (except) =>
        raw(
          Object.keys(described)
            .filter((name) => !except.includes(name))
            .map((name) => `${name} = excluded.${name}`)
            .join(', '),
        ),
      of: (table) => list((name) => `${table}.${name}`),
      list,
      statement(written) {
        const { strings, values } = written.flat();
        return (sources) =>
          new Sql(
            strings,
            values.map((value) => (value instanceof Slot ? sources.map(value.fill) : value)),
          );
      },
    };
  };
