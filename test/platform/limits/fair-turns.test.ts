import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { networksOf } from '../../../src/platform/http/address-list.ts';
import { fairTurns } from '../../../src/platform/limits/fair-turns.ts';

/** One at a time, each ending when the test says so. */
function stage(maxWaiting: number, maxKnown = 0, more: { readonly atOnce?: number; readonly mostOfOne?: number } = {}) {
  const inTurn = fairTurns({ atOnce: 1, maxWaiting, maxKnown, ...more }, () => new Error('full'));
  const begun: string[] = [];
  const refused: string[] = [];
  const held: (() => void)[] = [];
  const self = {
    begun,
    refused,
    ask(name: string, address: string, isKnown = false): void {
      const networks = networksOf(address).map((network) => network.name);
      inTurn({ networks, isKnown }, () => {
        begun.push(name);
        return new Promise<void>((end) => held.push(end));
      }).catch(() => refused.push(name));
    },
    /** Ends what runs until nothing is left, and returns the order in which all began. */
    async drained(): Promise<string> {
      await turn();
      for (let end = held.shift(); end; end = held.shift()) {
        end();
        await turn();
      }
      return begun.join(' ');
    },
  };
  return self;
}

suite('turns that strangers share', () => {
  test('the widest networks take turns, then the networks inside each', async () => {
    const { ask, drained } = stage(20);
    ask('running', '203.0.113.1');
    for (const [name, address] of [
      ['a1', '2001:db8:a:101::1'],
      ['a2', '2001:db8:a:101::2'],
      ['a3', '2001:db8:a:102::1'],
      ['a4', '2001:db8:a:200::1'],
      ['b1', '2001:db8:b::1'],
      ['c1', '192.0.2.1'],
    ] as const)
      ask(name, address);
    assert.equal(await drained(), 'running a1 b1 c1 a4 a3 a2');
  });

  test('a /48 with all places gives one up to every other network that needs one, but not to itself', async () => {
    const { ask, refused, drained } = stage(8);
    ask('running', '2001:db8:a::1');
    for (let n = 1; n <= 8; n++) ask(`a${n}`, `2001:db8:a:${n}::1`);
    ask('a9', '2001:db8:a:9::1');
    for (const other of ['b', 'c', 'd']) ask(other, `2001:db8:${other}::1`);
    await turn();
    assert.equal(refused.length, 4);
    assert.ok(refused.every((name) => name.startsWith('a')));
    assert.match(await drained(), /^running a\d b c d a\d a\d a\d a\d$/);
  });

  test('inside a network that has all places, one address gives up its own first', async () => {
    const { ask, refused, drained } = stage(4);
    ask('running', '192.0.2.1');
    for (let n = 1; n <= 4; n++) ask(`x${n}`, '192.0.2.1');
    ask('y', '192.0.2.2');
    await turn();
    assert.deepEqual(refused, ['x4']);
    assert.equal(await drained(), 'running x1 y x2 x3');
  });

  test('where as many networks wait as there are places, one more is refused', async () => {
    const { ask, refused, drained } = stage(3);
    ask('running', '192.0.2.1');
    for (const name of ['a', 'b', 'c', 'd']) ask(name, `2001:db8:${name}::1`);
    await turn();
    assert.deepEqual(refused, ['d']);
    assert.equal(await drained(), 'running a b c');
  });

  test('only a limited number of one network run at once, even if no one else waits', async () => {
    const { ask, begun, drained } = stage(20, 0, { atOnce: 4, mostOfOne: 2 });
    for (let n = 1; n <= 4; n++) ask(`a${n}`, `2001:db8:a:${n}::1`);
    for (let n = 1; n <= 4; n++) ask(`b${n}`, '192.0.2.1');
    await turn();
    assert.equal(begun.join(' '), 'a1 a2 b1 b2');
    ask('c', '203.0.113.1');
    assert.equal(await drained(), 'a1 a2 b1 b2 a3 c b3 a4 b4');
  });

  test('known people have places of their own, share them in the same way, and go first', async () => {
    const { ask, refused, drained } = stage(2, 2);
    ask('running', '192.0.2.1');
    for (const name of ['a', 'b', 'c']) ask(name, `2001:db8:${name}::1`);
    ask('known 1', '2001:db8:1::1', true);
    ask('known 2', '2001:db8:1::1', true);
    ask('known 3', '2001:db8:3::1', true);
    await turn();
    assert.deepEqual(refused.sort(), ['c', 'known 2']);
    assert.equal(await drained(), 'running known 1 known 3 a b');
  });

  test('every request is started once or refused once, and the turns go on', async () => {
    const { ask, begun, refused, drained } = stage(50, 10);
    let seed = 7;
    const dice = (sides: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % sides;
    };
    const asked: string[] = [];
    for (let n = 0; n < 2_000; n++) {
      asked.push(`${n}`);
      ask(`${n}`, `2001:db8:${dice(12)}:${dice(3) * 256 + dice(3)}::1`, dice(9) === 0);
      if (dice(400) === 0) await drained();
    }
    await drained();
    assert.deepEqual([...begun, ...refused].sort(), asked.sort());
    ask('after', '192.0.2.1');
    assert.match(await drained(), / after$/);
  });
});
