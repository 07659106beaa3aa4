import pg from 'pg';
import { isTracing, notice, traced } from '../../traces/traces.ts';
import { sqlState } from '../database-errors.ts';
import type { Statement } from './sql.ts';

export interface Outcome {
  readonly rows: readonly unknown[];
  /** Rows read or touched. */
  readonly count: number;
  /** `SELECT`, `INSERT`, `COMMIT`, … */
  readonly command: string;
}

/** How a flight ended. If there is an error, the statement after the last outcome is the one that failed. */
interface Landing {
  readonly outcomes: readonly Outcome[];
  readonly error: Error | undefined;
}

type Parser = (text: string) => unknown;
type Columns = readonly { readonly name: string; readonly parse: Parser }[];
type Fields = readonly { readonly name: string; readonly dataTypeID: number }[];

/** The connection `pg` hands to `submit`; its types leave most of it out. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Record<string, string | undefined>;
  parse(statement: Pick<Statement, 'name' | 'text'>): void;
  bind(bound: { statement: string; values: Statement['values'] }): void;
  describe(what: { type: 'P' }): void;
  execute(): void;
  sync(): void;
}

/** What each connection knows of the columns its statements return. */
const described = new WeakMap<Wire, Map<string, Columns>>();

/** How many statements a connection has prepared. Both sides keep them for as long as it lives. */
export const preparedOn = (client: pg.ClientBase): number =>
  described.get((client as unknown as { readonly connection: Wire }).connection)?.size ?? 0;

/**
 * Statements that go to the server in one write and come back in one answer: one round trip on the wire.
 *
 * What is sent. PostgreSQL's extended protocol runs a statement in steps, each a message: Parse (text to a named prepared
 * statement), Bind (parameters), Describe (ask for the columns), Execute. Sync ends a group of them: the server answers
 * what it has and says ReadyForQuery. `pg` sends a Sync after every statement, so four statements are four writes, four
 * reads and up to four context switches on each side. A flight writes all its statements with one Sync behind the last. The
 * stream is corked meanwhile, so they leave in as few system calls as possible.
 *
 * What is left out, because the connection knows it already:
 * - Parse, when this connection has parsed the text before. Names are a hash of the text (`sql.ts`). `pg` keeps the list,
 *   `parsedStatements`, and adds to it when the server confirms a Parse, reading `name` and `text` of the query that is
 *   active: hence the two getters, which follow the statement whose answer is due. A text that occurs twice in one flight
 *   is parsed once (`parsing`): the server has the name by the time it reads the second Bind.
 * - Describe, when this connection has seen the statement's columns. They are kept in `described`, once a statement has
 *   completed, for as long as the connection lives. That is safe because no statement says `select *`: a column added by a
 *   later migration changes no result we know.
 *
 * What comes back, in order, statement by statement: ParseComplete and RowDescription if they were asked for, DataRow for
 * each row, then CommandComplete, which closes that statement's outcome and opens the next one's (`#open`). ReadyForQuery
 * lands the flight. Only then is anything certain: outside a transaction, PostgreSQL commits a flight as a whole at its Sync.
 *
 * When a statement fails, the server sends one ErrorResponse and skips everything up to the Sync, a commit included. So
 * `outcomes` ends before the failed statement, and the sender of the flight knows which one that was. The flight lands at
 * the error; `pg` still waits for ReadyForQuery before it sends the connection's next flight. A statement that was parsed
 * before the failure stays parsed: prepared statements are not part of a transaction.
 *
 * How `pg` drives it. `client.query(flight)` accepts any object with `submit` and the `handle…` methods, and calls them from
 * its socket. `callback` is for its time limit: `pg` wraps it when `query_timeout` is set, and stops the timer when we call
 * it. A flight always lands and never rejects; when the connection ends or the limit passes, `pg` calls `handleError`. These
 * are parts of `pg` that its types leave out, so the version is pinned and `test/platform/db/query/flight.test.ts` covers each of them.
 */
export class Flight {
  readonly landed: Promise<Landing>;
  readonly statements: readonly Statement[];
  callback: (error?: Error) => void = () => {};
  readonly #outcomes: Outcome[] = [];
  #rows: unknown[] = [];
  #columns: Columns = [];
  #known = new Map<string, Columns>();
  #land: (landing: Landing) => void = () => {};

  constructor(statements: readonly Statement[]) {
    this.statements = statements;
    this.landed = new Promise((land) => {
      this.#land = land;
    });
  }

  /** Name and text of the statement whose answer comes next. */
  get name(): string | undefined {
    return this.statements[this.#outcomes.length]?.name;
  }

  get text(): string | undefined {
    return this.statements[this.#outcomes.length]?.text;
  }

  submit(connection: unknown): void {
    const wire = connection as Wire;
    this.#known = described.get(wire) ?? new Map();
    described.set(wire, this.#known);
    const parsing = new Set<string>();
    wire.stream.cork();
    try {
      for (const statement of this.statements) this.send(wire, statement, parsing);
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
    this.#open();
  }

  /** Public because tests break the connection between two statements here. */
  send(wire: Wire, { name, text, values }: Statement, parsing: Set<string>): void {
    if (wire.parsedStatements[name] === undefined && !parsing.has(name)) {
      parsing.add(name);
      wire.parse({ name, text });
    }
    wire.bind({ statement: name, values });
    if (!this.#known.has(name)) wire.describe({ type: 'P' });
    wire.execute();
  }

  /** Gets ready for the answer of the next statement. */
  #open(): void {
    this.#rows = [];
    this.#columns = this.#known.get(this.name ?? '') ?? [];
  }

  handleRowDescription({ fields }: { fields: Fields }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    for (let i = 0; i < fields.length; i++) {
      const { name, parse } = this.#columns[i] as Columns[number];
      const value = fields[i] as string | null;
      row[name] = value === null ? null : parse(value);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#known.set(this.name ?? '', this.#columns);
    const [command = ''] = text.split(' ', 1);
    this.#outcomes.push({ rows: this.#rows, command, count: Number(text.slice(text.lastIndexOf(' ') + 1)) || 0 });
    this.#open();
  }

  handleReadyForQuery(): void {
    this.callback();
    this.#land({ outcomes: this.#outcomes, error: undefined });
  }

  handleError(error: Error): void {
    this.callback(error);
    this.#land({ outcomes: this.#outcomes, error });
  }
}

/** Sends statements and waits until their flight has landed. */
export function fly(client: pg.ClientBase, statements: readonly Statement[]): Promise<Landing> {
  const send = () => client.query(new Flight(statements)).landed;
  if (!isTracing()) return send();
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': textOf(statements) };
  return traced('database', { kind: 'client', attributes }, async () => {
    const landing = await send();
    if (landing.error) notice({ 'error.type': sqlState(landing.error) ?? 'connection' }, { isError: true });
    return landing;
  });
}

const MOST_TEXT = 2_000;
/** Without their values, which travel as parameters. */
const textOf = (statements: readonly Statement[]): string =>
  statements
    .map(({ text }) => text.replace(/\s+/g, ' ').trim())
    .join('; ')
    .slice(0, MOST_TEXT);

function parserOf(type: number): Parser {
  return type === pg.types.builtins.INT8 ? BigInt : (pg.types.getTypeParser(type, 'text') as Parser);
}
