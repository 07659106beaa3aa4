import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { migrate } from '../../../src/platform/db/migrate/migrate.ts';
import { type Applied, isBaseline, migrationsOnDisk } from '../../../src/platform/db/migrate/migrations.ts';
import { grantRoles } from '../../../src/platform/db/migrate/rights.ts';
import { freshDatabase, type Template } from '../database/postgres.ts';

/** Its `schema.sql`. */
const schemaOfLastRelease = new URL('../../platform/db/previous-schema.sql', import.meta.url);

/** The number of its last migration. */
const LAST = 135;

/** What a database of the last release has recorded. */
export const migrationsOfLastRelease = async (): Promise<Applied[]> =>
  (await migrationsOnDisk())
    .filter(({ id }) => Number.parseInt(id.split('/')[1] ?? '', 10) <= LAST)
    .map(({ id, hash }) => ({ id, hash }));

/** As the last release makes it, with what was added up to a number since, by programs that had no baseline yet. */
export async function makeSince(url: string, last: number): Promise<void> {
  await makeLastRelease(url);
  const isSince = (one: Applied) => !isBaseline(one) && Number.parseInt(one.id.split('/')[1] ?? '', 10) <= last;
  await migrate(url, undefined, { onDisk: migrationsOnDisk().then((all) => all.filter(isSince)) });
}

export interface OldDatabase extends AsyncDisposable {
  readonly url: string;
  connect(): Promise<pg.Client>;
}

/** As the last release makes it: the schema, the migrations it recorded, and the rows they wrote. */
export async function makeLastRelease(url: string): Promise<void> {
  const owner = new pg.Client(url);
  await owner.connect();
  try {
    await owner.query(await readFile(schemaOfLastRelease, 'utf8'));
    await owner.query(
      'insert into shared.migrations (id, hash) select * from jsonb_to_recordset($1) as applied (id text, hash text)',
      [JSON.stringify(await migrationsOfLastRelease())],
    );
    await owner.query(`
      insert into shared.catalog_states default values;
      insert into shared.settings values ('schema', '{"by": "0.1.0", "works_with": "0.1.0"}');
      alter table sandbox.webhook_subscriptions alter column id restart with 2;
      alter table sandbox.webhook_deliveries alter column id restart with 2`);
    // The dump leaves out rights on partitions.
    await grantRoles(owner);
  } finally {
    await owner.end();
  }
}

/** With one partner and an amount of money in live. */
const lastRelease: Template = {
  name: 'wayfare_last_release',
  from: 'template0',
  async fill(url) {
    await makeLastRelease(url);
    const owner = connection(url);
    await owner.connect();
    await owner.query("insert into partners (name, email) values ('a', 'b')");
    await owner.query('insert into wallets (partner_id, cash) values (1, 1000000000)');
    await owner.end();
  },
};

const connection = (url: string): pg.Client =>
  new pg.Client({ connectionString: url, options: '-csearch_path=live,shared' });

export async function databaseOfLastRelease(): Promise<OldDatabase> {
  const undo = new AsyncDisposableStack();
  const { url, drop } = await freshDatabase(lastRelease);
  undo.defer(drop);
  const connect = async (): Promise<pg.Client> => {
    const client = connection(url);
    client.on('error', () => {});
    await client.connect();
    undo.defer(() => client.end());
    return client;
  };
  return { url, connect, [Symbol.asyncDispose]: () => undo.disposeAsync() };
}

/**
 * A purchase as the last release writes it: the charge with its event in one transaction, the delivery with its event in another.
 * Statement by statement, so that a migration can come between any two.
 */
export async function buy(client: pg.Client): Promise<void> {
  const event = (orderId: string, name: string) =>
    client.query(
      `with sent as (
        insert into webhook_deliveries (partner_id, subscription_id, order_id, event_id, event_type, max_attempts, created_at)
        values (1, 1, $1, $2, $2, 10, now()) returning id
      ) insert into webhook_queue (delivery_id, subscription_id, due_at, max_attempts) select id, 1, now(), 10 from sent`,
      [orderId, name],
    );
  await client.query('begin');
  await client.query('select from wallets where partner_id = 1 for update');
  const { rows } = await client.query("select nextval('orders_id_seq') as id");
  const { id } = rows[0];
  await client.query('select from orders where id = $1', [id]);
  await client.query('select from webhook_subscriptions where partner_id = 1');
  await event(id, 'order.paid');
  await client.query(
    `insert into orders (id, partner_id, plan_id, product_id, status, billing_mode, product_price, sale_price, cost_micros,
      product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, provision_due_at, created_at, paid_at)
    overriding system value
    values ($1, 1, 1, 'p', 4, 'prepaid', 149, 149, 0, 't', '1 GB', 1024, 7, false, 'FR', 's', 's-1', now(), now(), now())`,
    [id],
  );
  await client.query(
    `with charged as (
      update wallets set cash = cash - 149, wallet_lines = wallet_lines + 1 where partner_id = 1 returning cash, wallet_lines
    ), moved as (
      insert into movements (partner_id, book, type, amount, balance_after, order_id, at, line)
      select 1, 'wallet', 'purchase', -149, cash, $1::bigint, now(), wallet_lines from charged returning id
    ) insert into transfers (movement_id, partner_id, debit, credit, amount) select id, 1, 'cash', 'revenue', 149 from moved`,
    [id],
  );
  await client.query('commit');
  await client.query('begin');
  await client.query("update orders set status = 1, delivery = 'delivered', provision_due_at = null where id = $1", [
    id,
  ]);
  await event(id, 'order.delivered');
  await client.query('commit');
}
