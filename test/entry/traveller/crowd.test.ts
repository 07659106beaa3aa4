import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { revokeLink } from '../../../src/domains/travellers/travellers.ts';
import { Busy } from '../../../src/entry/site/routes.ts';
import { crowdReads } from '../../../src/entry/traveller/crowd.ts';
import { testApp } from '../../support/program/app.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { sharedOrder } from '../../support/sales/shared-order.ts';

const limits = { atOnce: 1, waiting: 4, sharing: 3, kept: 10, keptMs: 500 };

/** Reads that end when the test says so. */
function heldReads() {
  const begun: string[] = [];
  const held: ((answer: string) => void)[] = [];
  return {
    begun,
    look: (what: string) => () => {
      begun.push(what);
      return new Promise<string>((end) => held.push(end));
    },
    async answer(text: string) {
      held.shift()?.(text);
      await turn();
    },
  };
}

suite('reads that anyone can cause', () => {
  test('all who ask for the same at once share one read, and more than the limit are refused', async () => {
    const [read, { begun, look, answer }] = [crowdReads(limits), heldReads()];
    const asked = [1, 2, 3].map(() => read('a', '192.0.2.1', look('a')));
    await assert.rejects(read('a', '192.0.2.2', look('a')), Busy);
    await answer('yes');
    assert.deepEqual([await Promise.all(asked), begun], [['yes', 'yes', 'yes'], ['a']]);
  });

  test('a shared answer serves for a moment more, any other is read again, and a failure always', async () => {
    const read = crowdReads(limits);
    let reads = 0;
    const look = async () => ++reads;
    assert.deepEqual([await read('quiet', 'x', look), await read('quiet', 'x', look)], [1, 2]);
    await Promise.all([read('busy', 'x', look), read('busy', 'x', look)]);
    assert.equal(await read('busy', 'x', look), 3);
    await wait(550);
    assert.equal(await read('busy', 'x', look), 4);
    const broken = () => Promise.reject(new Error(`try ${++reads}`));
    for (const end of await Promise.allSettled([read('bad', 'x', broken), read('bad', 'x', broken)]))
      assert.equal(end.status, 'rejected');
    assert.equal(await read('bad', 'x', look), 6);
  });

  test('the lines of networks take turns, and a full one gives a place to a network that has fewer', async () => {
    const [read, { begun, look, answer }] = [crowdReads(limits), heldReads()];
    const ask = (name: string, address: string) => read(name, address, look(name));
    const asked = [
      ask('first', '2001:db8::1'),
      ask('a1', '2001:db8::1'),
      ask('a2', '2001:db8:0:1::2'),
      ask('b1', '192.0.2.1'),
    ];
    const last = assert.rejects(ask('a3', '2001:db8:0:1::3'), Busy);
    asked.push(ask('c1', '192.0.2.2'));
    await last;
    await assert.rejects(
      ask('d1', '192.0.2.3'),
      Busy,
      'all lines together are full, and its own is as long as the other',
    );
    for (const _ of asked) await answer('');
    await Promise.all(asked);
    assert.deepEqual(begun, ['first', 'a1', 'b1', 'a2', 'c1']);
  });
});

test('hundreds of connections on one link do not block other links, and a revoked link is dead at once', async () => {
  await using t = await testApp();
  const [partnerId, plan] = [await t.partner(), await testPlan(t)];
  const orders = [];
  for (let n = 0; n < 12; n++) orders.push(await sharedOrder(t, { partnerId, plan }));
  const [hammered, revoked, ...others] = orders;
  assert.ok(hammered && revoked);
  const key = await t.key(partnerId);
  const { qrcode_url } = (await t.get(`/order/detail/${hammered.id}`, { key })).body.esim;
  const at = async (path: string) => (await t.ask(path, { host: 'panel' })).status;
  const visits = Array.from({ length: 240 }, (_, n) => at(others[n % others.length]?.path ?? ''));
  const hammering = Array.from({ length: 300 }, (_, n) => at(n % 2 ? hammered.path : new URL(qrcode_url).pathname));
  assert.deepEqual(new Set(await Promise.all([...hammering, ...visits])), new Set([200]));
  assert.equal(await at(revoked.path), 200);
  await t.base.worlds.live.db.tx((tx) => revokeLink(tx, revoked.id, new Date(t.clock.now())));
  assert.equal(await at(revoked.path), 404);
});
