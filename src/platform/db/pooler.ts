import type pg from 'pg';
import { sqlState } from './database-errors.ts';
import { openSession } from './session.ts';

/** A pooler that gives a server connection to one client for a transaction only. */
export class NoSessions extends Error {
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
