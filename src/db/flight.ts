import pg from 'pg';
import type { Statement } from './sql.ts';

export interface Outcome {
  readonly rows: readonly unknown[];
  /** Rows read or touched. */
  readonly count: number;
  /** `SELECT`, `INSERT`, `COMMIT`, … */
  readonly command: string;
}

/** How a flight ended: with an error, the statement after the last outcome is the one that failed. */
export interface Landing {
  readonly outcomes: readonly Outcome[];
  readonly error: Error | undefined;
}

type Parser = (text: string) => unknown;
type Columns = readonly { readonly name: string; readonly parse: Parser }[];
type Fields = readonly { readonly name: string; readonly dataTypeID: number }[];

/** What `pg` gives a query class of our own to work with; its types leave most of it out. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  /** Statements this connection has parsed, by name; `pg` keeps it by the query's `name` and `text`. */
  readonly parsedStatements: Record<string, string | undefined>;
  parse(statement: Pick<Statement, 'name' | 'text'>): void;
  bind(bound: { statement: string; values: Statement['values'] }): void;
  describe(what: { type: 'P' }): void;
  execute(): void;
  sync(): void;
}

/** The columns of each statement a connection has described, so that it describes none twice. */
const described = new WeakMap<Wire, Map<string, Columns>>();

/**
 * Statements that go to the server in one write and come back in one answer, each run after the one before it. When one fails
 * the server skips the rest, a commit among them. `pg` by itself asks for an answer after every statement, which costs both
 * sides a system call and a change of context each time.
 */
export class Flight {
  readonly landed: Promise<Landing>;
  readonly statements: readonly Statement[];
  /** `pg` puts its time limit around this, and calls it off when it is called. */
  callback: (error?: Error) => void = () => {};
  private readonly outcomes: Outcome[] = [];
  private rows: unknown[] = [];
  private columns: Columns = [];
  private known = new Map<string, Columns>();
  private land: (landing: Landing) => void = () => {};

  constructor(statements: readonly Statement[]) {
    this.statements = statements;
    this.landed = new Promise((land) => {
      this.land = land;
    });
  }

  /** The statement whose answer comes next; `pg` reads both when the server says that it parsed one. */
  get name(): string | undefined {
    return this.statements[this.outcomes.length]?.name;
  }

  get text(): string | undefined {
    return this.statements[this.outcomes.length]?.text;
  }

  submit(connection: unknown): void {
    const wire = connection as Wire;
    this.known = described.get(wire) ?? new Map();
    described.set(wire, this.known);
    const parsing = new Set<string>();
    wire.stream.cork();
    try {
      for (const statement of this.statements) this.send(wire, statement, parsing);
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
    this.open();
  }

  send(wire: Wire, { name, text, values }: Statement, parsing: Set<string>): void {
    if (wire.parsedStatements[name] === undefined && !parsing.has(name)) {
      parsing.add(name);
      wire.parse({ name, text });
    }
    wire.bind({ statement: name, values });
    if (!this.known.has(name)) wire.describe({ type: 'P' });
    wire.execute();
  }

  /** Gets ready for the answer of the next statement. */
  private open(): void {
    this.rows = [];
    this.columns = this.known.get(this.name ?? '') ?? [];
  }

  handleRowDescription({ fields }: { fields: Fields }): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    for (let i = 0; i < fields.length; i++) {
      const { name, parse } = this.columns[i] as Columns[number];
      const value = fields[i] as string | null;
      row[name] = value === null ? null : parse(value);
    }
    this.rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.known.set(this.name ?? '', this.columns);
    const [command = ''] = text.split(' ', 1);
    this.outcomes.push({ rows: this.rows, command, count: Number(text.slice(text.lastIndexOf(' ') + 1)) || 0 });
    this.open();
  }

  /** Only now is anything sure: what runs outside a transaction is committed at the end of the flight. */
  handleReadyForQuery(): void {
    this.callback();
    this.land({ outcomes: this.outcomes, error: undefined });
  }

  handleError(error: Error): void {
    this.callback(error);
    this.land({ outcomes: this.outcomes, error });
  }
}

function parserOf(type: number): Parser {
  return type === pg.types.builtins.INT8 ? BigInt : (pg.types.getTypeParser(type, 'text') as Parser);
}
