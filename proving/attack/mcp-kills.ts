import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { scratchFolder } from '../../test/support/database/folder.ts';
import { freshDatabase } from '../../test/support/database/postgres.ts';
import { eventually } from '../../test/support/eventually.ts';
import { agentAt } from '../../test/support/program/agent.ts';
import { wayfare } from '../../test/support/program/cli.ts';
import { ServerProcess } from '../../test/support/program/server-process.ts';
import { type Attack, sized } from './attack.ts';

const LIMIT = 100;

/** A purchase that an agent has confirmed is made once, however often the server dies in between. */
export const mcpKills: Attack = {
  name: 'mcp-kills',
  tries: 'agents confirm purchases while the server is killed, and confirm them again',
  isLong: true,
  async run(attempt) {
    await using undo = new AsyncDisposableStack();
    const database = await freshDatabase();
    undo.defer(() => database.drop());
    const dataDir = await scratchFolder('wayfare-mcp-kills-');
    const env = { DATABASE_URL: database.url, WAYFARE_SECRET: randomBytes(32).toString('hex'), WAYFARE_DEMO: 'on' };
    let server = await ServerProcess.start({ dataDir, env });
    // The server that runs at the end is the last one started.
    undo.defer(async () => void (await server.end('SIGKILL')));
    const key = /esk_test_[0-9a-f]{40}/.exec(server.stdout)?.[0] ?? '';
    const keyId = (await wayfare(env, '--json', 'key', 'list', '--partner', '1')).json.find(
      ({ mode }: { mode: string }) => mode === 'sandbox',
    ).key_id;
    const allowed = await wayfare(env, 'key', 'set', String(keyId), '--limit', `month=${LIMIT}`);
    assert.equal(allowed.code, 0, allowed.stderr);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    undo.defer(() => client.end());
    const product_id = (
      await client.query(`select alias from shared.plans where refills is null order by list_price limit 1`)
    ).rows[0].alias;
    const agent = () => agentAt(`${server.urls.panel}/mcp`, { 'x-api-key': key });

    const confirmed: string[] = [];
    for (let kill = 0; kill < sized(attempt, 1, 8); kill += 1) {
      const tokens: string[] = [];
      {
        await using first = await agent();
        for (let n = 0; n < 4; n += 1) tokens.push((await first.call('buy_esim', { product_id })).body.confirmation);
        const under = tokens.map((confirmation) =>
          first.call('buy_esim', { product_id, confirmation }).catch(() => undefined),
        );
        await wait(5 + kill * 4);
        await server.end('SIGKILL');
        await Promise.all(under);
      }
      server = await ServerProcess.start({ dataDir, env });
      await using again = await agent();
      for (const confirmation of tokens) {
        const buy = () => again.call('buy_esim', { product_id, confirmation });
        const bought = await eventually('the purchase is found', async () => {
          const told = await buy();
          assert.ok(!told.isError || /in_progress$/.test(told.body.error), JSON.stringify(told.body));
          return !told.isError && told.body.order_id;
        });
        for (const { isError, body } of await Promise.all([buy(), buy()]))
          assert.ok(isError ? /in_progress$/.test(body.error) : body.order_id === bought, JSON.stringify(body));
      }
      confirmed.push(...tokens);
    }
    const { rows } = await client.query(`
      select count(*)::int as orders, coalesce(sum(sale_price), 0)::int as paid from sandbox.orders where status <> 2`);
    const [{ orders, paid }] = rows;
    assert.equal(orders, confirmed.length, 'each confirmation bought once');
    assert.ok(paid <= LIMIT * 100);
    attempt.held(
      `${confirmed.length} confirmations sent four times each around ${confirmed.length / 4} kills: ${orders} orders`,
    );
  },
};
