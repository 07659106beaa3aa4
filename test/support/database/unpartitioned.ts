import pg from 'pg';
import { migrate } from '../../../src/platform/db/migrate/migrate.ts';
import { type Migration, migrationsOnDisk } from '../../../src/platform/db/migrate/migrations.ts';
import { isMove } from '../../../src/platform/db/migrate/partition-move.ts';
import { freshDatabase, type Template } from './postgres.ts';

export const quick = { pauseMs: 10, tries: 1_000 };

export const only = async (keep: (migration: Migration) => boolean): Promise<Migration[]> =>
  (await migrationsOnDisk()).filter(keep);

/** Before the logs were partitioned, with some calls; two of them dated far ahead. */
const unpartitioned: Template = {
  name: 'wayfare_unpartitioned',
  from: 'template0',
  async fill(url) {
    await migrate(url, undefined, { onDisk: only((migration) => !isMove(migration)) });
    const client = new pg.Client(url);
    await client.connect();
    await client.query(`
      insert into live.request_log (partner_id, at, request_id, key_id, method, endpoint, status, error, is_simulated, duration_ms, address)
      select n % 7, case when n > 2998 then now() + interval '300 days' else now() - n * interval '5 minutes' end,
        gen_random_uuid(), 1, 'GET', '/', 200, '', false, 1, '' from generate_series(1, 3000) as n;
      insert into live.supplier_calls (order_id, supplier, operation, at, duration_ms, outcome, reason, exchanges)
      select n % 90, 's', 'find', now() - n * interval '5 minutes', 1, 'pending', '', '[]' from generate_series(1, 3000) as n`);
    await client.end();
  },
};

export async function site() {
  const undo = new AsyncDisposableStack();
  const { url, drop } = await freshDatabase(unpartitioned);
  undo.defer(drop);
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url, options: '-csearch_path=live,shared' });
    client.on('error', () => {});
    await client.connect();
    undo.defer(() => client.end());
    return client;
  };
  const owner = await connect();
  return {
    url,
    owner,
    connect,
    /** As a server of the previous version writes and reads. */
    async write(client = owner): Promise<void> {
      await client.query(`
        insert into request_log (partner_id, at, request_id, key_id, method, endpoint, status, error, is_simulated, duration_ms, address)
        values (77, now(), gen_random_uuid(), 1, 'GET', '/', 200, '', false, 1, '')`);
      await client.query(`
        insert into supplier_calls (order_id, supplier, operation, at, duration_ms, outcome, reason, exchanges)
        values (77, 's', 'find', now(), 1, 'pending', '', '[]')`);
    },
    async rows(): Promise<unknown> {
      const { rows } = await owner.query(`
        select (select count(*)::int from request_log) as requests, (select count(distinct id)::int from request_log) as "ofThem",
          (select count(*)::int from supplier_calls) as calls, (select count(distinct id)::int from supplier_calls) as "ofThose"`);
      return rows[0];
    },
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}

export const partitions = `
  select relname as name, pg_get_expr(relpartbound, oid) as bound, pg_relation_filenode(oid) as file
  from pg_inherits join pg_class on oid = inhrelid where inhparent = 'request_log'::regclass order by 1`;
