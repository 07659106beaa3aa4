import pg from 'pg';
import { notReached } from './database-errors.ts';
import { serversOf } from './servers.ts';

export interface SessionOptions extends pg.ClientConfig {
  /** May name several servers (`servers.ts`). */
  readonly url: string;
  /** Names the connection in pg_stat_activity. */
  readonly name: string;
  /** Session settings by name, `role` among them. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Of several servers only the one that accepts writes will do. A standby says so itself, and so does a primary that was put
 * into read-only mode.
 */
const REQUIRE_WRITABLE = `do $$ begin
  if current_setting('transaction_read_only') = 'on' then
    raise 'this server accepts no writes' using errcode = 'read_only_sql_transaction';
  end if;
end $$`;

/**
 * Compiling a plan takes a hundred milliseconds and more, and none of our statements runs that long. PostgreSQL compiles what it
 * thinks expensive, and forbidding whole-table plans (`database.ts`) makes small ones look so: it adds ten billion to their cost.
 */
const ALWAYS = { jit: 'off' };

/**
 * A connection with our settings on it. They are set by a statement and not by the startup parameter `options`, which PgBouncer
 * refuses; it costs one round trip per connection. A session is ready when `connect` resolves, or it is closed.
 */
export class Session extends pg.Client {
  readonly #options: SessionOptions;
  readonly #address: string;

  constructor(options: SessionOptions) {
    const address = serversOf(options.url).current;
    super({ ...options, connectionString: address, application_name: `wayfare ${options.name}` });
    this.#options = options;
    this.#address = address;
    // Without a listener an error between two statements would end the process. The next statement is rejected with it anyway.
    this.on('error', () => {});
  }

  override connect(): Promise<this>;
  override connect(done: (error: Error | null) => void): void;
  override connect(done?: (error: Error | null) => void): Promise<this> | undefined {
    const connected = this.#connect();
    if (!done) return connected;
    connected.then(() => done(null), done);
    return undefined;
  }

  async #connect(): Promise<this> {
    const servers = serversOf(this.#options.url);
    try {
      await super.connect();
      const settings = Object.entries({ ...ALWAYS, ...this.#options.settings }).map(
        ([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, false)`,
      );
      if (servers.areSeveral) await this.query(REQUIRE_WRITABLE);
      await this.query(`select ${settings.join(', ')}`);
      return this;
    } catch (error) {
      servers.moveOn(this.#address);
      this.end().catch(() => {});
      throw error;
    }
  }
}

/** A connected session on the server that accepts writes. */
export const openSession = (options: SessionOptions): Promise<Session> =>
  serversOf(options.url)
    .tryEach(() => new Session(options).connect())
    .catch((error) => {
      throw notReached(error, options.url);
    });
