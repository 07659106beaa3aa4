import type pg from 'pg';
import { sqlState } from './database-errors.ts';
import { openSession } from './session.ts';

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

/** One URL for each server that a URL names. */
export function addressesIn(url: string): string[] {
  const [, start = '', hosts = '', end = ''] = /^(\w+:\/\/(?:[^@/]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => start + host + end) : [url];
}

const known = new Map<string, Servers>();

/** One for each URL, so that pools and the listener share what they find out. */
export function serversOf(url: string): Servers {
  const servers = known.get(url) ?? new Servers(url);
  known.set(url, servers);
  return servers;
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
export async function requireSessions(client: pg.Client, url: string): Promise<void> {
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
