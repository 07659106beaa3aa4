import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testFolder } from '../../support/database/folder.ts';
import { ask, type Pair, startPair } from '../../support/database/postgres-pair.ts';
import { eventually } from '../../support/eventually.ts';
import { type TestApp, testApp } from '../../support/program/app.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit } from '../../support/sales/shop.ts';

/** `DATABASE_READ_URL`: a program with a primary and one real replica. */
const undo = new AsyncDisposableStack();
let pair: Pair;
let t: TestApp;
let key: string;
let product: string;

before(async () => {
  const folder = undo.use(await testFolder(0o711));
  pair = await startPair(folder.path, undo);
  t = undo.use(await testApp({ url: pair.primary.url, config: { databaseReadUrl: pair.standby.url } }));
  const partnerId = await t.partner();
  key = await t.key(partnerId);
  await credit(t, partnerId, '500.00');
  product = (await testPlan(t)).alias;
  await catalogKnows(t, product);
});
after(() => undo.disposeAsync());

const listed = async (): Promise<number[]> => {
  const { status, body } = await t.ask('/v3/order/get?limit=100', { key });
  assert.equal(status, 200);
  return body.order.map(({ id }: { id: string }) => Number(id));
};

async function answeredBy(): Promise<Record<string, number>> {
  const counts = await t.base.metrics.reads.get();
  const live = counts.values.filter(({ labels }) => labels.world === 'live');
  return Object.fromEntries(live.map(({ labels, value }) => [labels.answered_by, value]));
}

const bought = async (): Promise<number> => {
  const { status, body } = await buy(t, key, product);
  assert.equal(status, 200, JSON.stringify(body));
  return body.order_id;
};

test('lists are read on the replica, and each purchase is in the list that is read right after it', async () => {
  for (let n = 0; n < 20; n++) {
    const id = await bought();
    assert.ok((await listed()).includes(id), `order ${id} is missing`);
  }
  const { replica = 0 } = await answeredBy();
  assert.ok(replica >= 20, `${replica} reads went to the replica`);
});

test('while the replica stands still, the primary answers what the replica does not have yet', async () => {
  await ask(pair.primary.url, "alter system set synchronous_standby_names = ''");
  await ask(pair.primary.url, 'select pg_reload_conf()');
  await ask(pair.standby.url, 'select pg_wal_replay_pause()');
  const before = await answeredBy();
  const id = await bought();
  assert.equal((await listed())[0], id);
  const after = await answeredBy();
  assert.ok((after.primary_replica_behind ?? 0) > (before.primary_replica_behind ?? 0));
  await ask(pair.standby.url, 'select pg_wal_replay_resume()');
  await eventually('the replica answers again', async () => {
    await listed();
    return ((await answeredBy()).replica ?? 0) > (after.replica ?? 0);
  });
});

test('a replica that was promoted is not read: it no longer follows', async () => {
  await ask(pair.standby.url, 'select pg_promote()');
  const { replica } = await answeredBy();
  const id = await bought();
  assert.equal((await listed())[0], id);
  const after = await answeredBy();
  assert.equal(after.replica, replica);
  assert.ok((after.primary_replica_away ?? 0) > 0);
});

test('without its replica the program goes on: the primary answers', async () => {
  await pair.standby.stop();
  const id = await bought();
  assert.equal((await listed())[0], id);
});
