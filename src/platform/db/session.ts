import pg from 'pg';
import { addressesIn } from '../settings/environment.ts';
import { notReached, sqlState } from './database-errors.ts';

/**
 * The servers a database URL names: `postgres://user:password@h1:5432,h2:5432/db` is one database on two servers, of which one
 * accepts writes at a time. `current` is the one to connect to. A caller that fails to connect there, or finds that it does not
 * accept writes, moves on to the next, and every other user of the same URL follows. There is no state to lose: a wrong guess costs
 * one failed connection.
 */
export class Servers {
  readonly #urls: readonly string[];
  #at = 0;

  constructor(url: string) {
    this.#urls = addressesIn(url);
  }

  get current(): string {
    return this.#urls[this.#at] as string;
  }

  get areSeveral(): boolean {
    return this.#urls.length > 1;
  }

  /** Only if `from` is still the current one: connections that fail together move on by one server, not by several. */
  moveOn(from: string): void {
    if (from === this.current) this.#at = (this.#at + 1) % this.#urls.length;
  }

  /** Tries `connect` once per server at most, as long as each failure has moved us on. */
  async tryEach<T>(connect: () => Promise<T>): Promise<T> {
    for (let left = this.#urls.length; ; left--) {
      const tried = this.current;
      try {
        return await connect();
      } catch (error) {
        if (left <= 1 || this.current === tried) throw error;
      }
    }
  }
}

const known = new Map<string, Servers>();

/** One for each URL, so that pools and the listener share what they find out. */
export function serversOf(url: string): Servers {
  const servers = known.get(url) ?? new Servers(url);
  known.set(url, servers);
  return servers;
}

interface SessionOptions extends pg.ClientConfig {
  /** May name several servers. */
  readonly url: string;
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

const openSession = (options: SessionOptions): Promise<Session> =>
  serversOf(options.url)
    .tryEach(() => new Session(options).connect())
    .catch((error) => {
      throw notReached(error, options.url);
    });

/** Does `work` on a session of its own. */
export async function withSession<T>(options: SessionOptions, work: (client: Session) => Promise<T>): Promise<T> {
  const client = await openSession({ ...options, connectionTimeoutMillis: 5_000 });
  try {
    await requireSessions(client, options.url);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A pooler that gives a server connection to one client for a transaction only. */
class NoSessions extends Error {
  constructor() {
    super(
      'DATABASE_URL leads to a pooler in transaction mode; use session mode (pool_mode = session) or connect directly',
    );
  }
}

/** SQLSTATE of a pooler in statement mode, which refuses transactions. */
const REFUSED = '08P01';

/**
 * We set a role, prepare statements and listen, all of which belong to a session. A pooler in transaction mode gives each
 * transaction any server connection, so roles of different pools would mix. It must be refused before anything is written.
 *
 * A pooler shows itself by the process id it announced at the start of the connection, which is not the server's. Behind one we
 * hold a transaction open on a second connection: in session mode ours keeps its server process, and the second has another. In
 * transaction mode they share one, or ours changes.
 */
async function requireSessions(client: pg.Client, url: string): Promise<void> {
  const first = await serverPid(client);
  if ((client as unknown as { processID: number }).processID === first) return;
  const second = await openSession({ url, name: 'pooler check', connectionTimeoutMillis: 5_000 });
  try {
    await second.query('begin');
    const other = await serverPid(second);
    if (other === first || (await serverPid(client)) !== first) throw new NoSessions();
  } catch (error) {
    throw sqlState(error) === REFUSED ? new NoSessions() : error;
  } finally {
    await second.end();
  }
}

const serverPid = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;
