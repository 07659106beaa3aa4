import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createRegistry } from '../../../../src/domains/supply/accounts/registry.ts';
import { checkedSupplier } from '../../../../src/domains/supply/adapters/checked-supplier.ts';
import type {
  Esim,
  EsimReference,
  Supplier,
  SupplierOrder,
  UsageReading,
} from '../../../../src/domains/supply/port/port.ts';
import { toMicros } from '../../../../src/platform/amounts/cents.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { record } from '../../../support/program/app.ts';

const CODE = 'LPA:1$smdp.example.com$K2-OF-THE-GATE';
record('secrets', `${CODE}\n`);
const good: Esim = {
  iccid: '8988000000000000017',
  smdpAddress: 'smdp.example.com',
  matchingId: 'K2-OF-THE-GATE',
  activationCode: CODE,
  appleUrl: null,
  confirmationCode: null,
  msisdn: null,
  apn: null,
  apnType: null,
  apnValue: null,
  isRoaming: null,
};
const reading: UsageReading = { state: 'active', totalMb: 1024, usedMb: 300, activatedAt: null, expiresAt: null };

/** A supplier that answers as it is told, behind the gate, and what was logged. */
function behindGate(answers: Partial<Supplier>) {
  const logged: string[] = [];
  const log = createLog('info', (line) => {
    logged.push(line);
    record('logs', line);
  });
  const lying = { name: 'liar', sellsRefills: false, ...answers } as Supplier;
  return { logged, supplier: checkedSupplier(lying, { clock: systemClock, log }), log, lying };
}

const order = {} as SupplierOrder;
const esim = {} as EsimReference;
const delivery = async (special: Partial<Esim>) => {
  const { supplier, logged } = behindGate({
    order: async () => ({ outcome: 'delivered', supplierOrder: '1', esim: { ...good, ...special } }),
  });
  return { answer: await supplier.order(order, 1), logged };
};

suite('the gate between suppliers and everything else', () => {
  test('a delivery that is right passes, with the install link that iPhones open', async () => {
    const { answer, logged } = await delivery({ msisdn: '+49 170 1234567', apn: 'internet', confirmationCode: '4711' });
    assert.equal(answer.outcome, 'delivered');
    assert.match('esim' in answer ? String(answer.esim.appleUrl) : '', /^https:\/\/esimsetup\.apple\.com\//);
    assert.deepEqual(logged, []);
  });

  for (const [field, value] of [
    ['iccid', '1234'],
    ['iccid', '89'.repeat(12)],
    ['iccid', 'x'.repeat(900_000)],
    ['smdpAddress', 'https://smdp.example.com/'],
    ['matchingId', 'A B'],
    ['activationCode', `LPA:1$smdp.example.com$${'A'.repeat(900_000)}`],
    ['activationCode', 'LPA:2$smdp.example.com$A'],
    ['activationCode', `${CODE}\n`],
    ['confirmationCode', '"><b>'],
  ] as const)
    test(`an eSIM whose ${field} is ${value.slice(0, 20)} is held, and neither reason nor log has the value`, async () => {
      const { answer, logged } = await delivery({ [field]: value });
      assert.equal(answer.outcome, 'held');
      const reason = 'reason' in answer ? answer.reason : '';
      assert.ok(reason.length < 500 && !reason.includes(value));
      assert.deepEqual(logged, []);
    });

  for (const [field, value] of [
    ['msisdn', 'javascript:alert(1)'],
    ['apn', 'a\u0000b'],
    ['apnValue', 'x'.repeat(5_000)],
    ['apnType', '<b>'],
    ['appleUrl', 'https://esimsetup.apple.com.evil.example/x'],
  ] as const)
    test(`an eSIM can do without a ${field} that cannot be right: it is left out, and the operator is told`, async () => {
      const { answer, logged } = await delivery({ [field]: value });
      assert.ok(answer.outcome === 'delivered');
      assert.notEqual(answer.esim[field], value);
      assert.match(logged.join(), new RegExp(`an eSIM whose ${field} cannot be right`));
    });

  for (const price of [-1n, 10n ** 12n])
    test(`a price of ${price} millionths of a dollar on an order is not known`, async () => {
      const { supplier, logged } = behindGate({
        find: async () => ({ outcome: 'refilled', supplierOrder: '1', charged: toMicros(price) }),
      });
      assert.deepEqual(await supplier.find(order, 1), { outcome: 'refilled', supplierOrder: '1' });
      assert.match(logged.join(), /price cannot be right/);
    });

  test('an order number that cannot be one holds the order: it could not be found by it', async () => {
    for (const supplierOrder of ['', 'x'.repeat(201), 'a\nb']) {
      const { supplier } = behindGate({ order: async () => ({ outcome: 'pending', supplierOrder }) });
      const answer = await supplier.order(order, 1);
      assert.deepEqual([answer.outcome, 'supplierOrder' in answer && answer.supplierOrder], ['held', null]);
    }
  });

  for (const [what, special] of [
    ['negative usage', { usedMb: -1 }],
    ['usage of 1e308', { usedMb: 1e308 }],
    ['usage that is no number', { usedMb: Number.NaN }],
    ['a total of 1.5 MB', { totalMb: 1.5 }],
    ['an end in the year 9999', { expiresAt: new Date('9999-12-31') }],
    ['an end at no time', { expiresAt: new Date(Number.NaN) }],
    ['an activation in the year 1970', { activatedAt: new Date(0) }],
    ['a state that there is not', { state: 'exploded' as 'active' }],
  ] as const)
    test(`a reading with ${what} counts as none, and the operator is told`, async () => {
      const { supplier, logged } = behindGate({
        usage: async () => ({ outcome: 'reading', reading: { ...reading, ...special } }),
      });
      assert.equal((await supplier.usage(esim, 1)).outcome, 'unavailable');
      assert.match(logged.join(), /a reading whose/);
    });

  const told = async (profile: object) => {
    const { supplier, logged } = behindGate({ usage: async () => ({ outcome: 'reading', reading, profile }) });
    return { answer: await supplier.usage(esim, 1), logged };
  };

  test('what a reading says about the phone passes, in whole or in part', async () => {
    const seenAt = new Date('2026-11-18T12:00:00Z');
    const device = { brand: 'Apple', model: 'iPhone 17' };
    for (const profile of [
      { state: 'enabled', device, country: 'JP', seenAt },
      { state: 'unknown', device: null, country: null, seenAt: null },
      { country: 'XK' },
      { device: { brand: 'Samsung', model: '' } },
    ]) {
      const { answer, logged } = await told(profile);
      assert.deepEqual(answer, { outcome: 'reading', reading, profile });
      assert.deepEqual(logged, []);
    }
    assert.deepEqual((await told({})).answer, { outcome: 'reading', reading });
  });

  for (const [part, value] of [
    ['state', 'exploded'],
    ['state', 'constructor'],
    ['device', { brand: '<b>Apple</b>', model: 'x' }],
    ['device', { brand: 'Apple', model: 'x'.repeat(101) }],
    ['device', { brand: 'Apple', model: 'a\u0000b' }],
    ['device', { brand: 7, model: null }],
    ['country', 'JPN'],
    ['country', 'jp'],
    ['country', 'EU'],
    ['country', '"><script>'],
    ['seenAt', new Date(0)],
    ['seenAt', new Date(Number.NaN)],
    ['seenAt', new Date('9999-12-31')],
  ] as const)
    test(`a profile whose ${part} is ${JSON.stringify(value).slice(0, 30)} goes without it; the reading counts, and the operator is told`, async () => {
      const { answer, logged } = await told({ state: 'enabled', [part]: value });
      const rest = part === 'state' ? {} : { profile: { state: 'enabled' } };
      assert.deepEqual(answer, { outcome: 'reading', reading, ...rest });
      assert.match(logged.join(), new RegExp(`a profile whose ${part} cannot be right`));
      assert.ok(!logged.join().includes('script'));
    });

  test('a profile that comes with a reading that cannot be right is not used', async () => {
    const { supplier } = behindGate({
      usage: async () => ({
        outcome: 'reading',
        reading: { ...reading, usedMb: -1 },
        profile: { state: 'enabled' },
      }),
    });
    assert.equal((await supplier.usage(esim, 1)).outcome, 'unavailable');
  });

  test('a balance beyond a billion dollars is not one', async () => {
    const { supplier } = behindGate({ balance: async () => ({ outcome: 'balance', balance: toMicros(10n ** 20n) }) });
    assert.equal((await supplier.balance?.(1))?.outcome, 'unavailable');
  });

  test('reasons are one short line', async () => {
    const reason = `no\u0007\n${'x'.repeat(900_000)}`;
    const { supplier } = behindGate({ order: async () => ({ outcome: 'refused', reason }) });
    const answer = await supplier.order(order, 1);
    assert.ok('reason' in answer && answer.reason.length <= 200 && !/\p{Cc}/u.test(answer.reason));
    const switched = behindGate({ suspend: async () => ({ outcome: 'refused', reason }) }).supplier;
    const refused = await switched.suspend?.(esim, 1);
    assert.ok(refused && 'reason' in refused && refused.reason.length <= 200 && !/\p{Cc}/u.test(refused.reason));
    assert.ok(!('resume' in switched), 'a supplier cannot do more behind the gate than before it');
  });

  test('an adapter that throws has an unknown outcome: nothing is ordered twice, and nothing throws for ever', async () => {
    const broken = () => Promise.reject(new RangeError('Infinity is not a BigInt'));
    const { supplier, logged } = behindGate({
      ...{ order: broken, find: broken, usage: broken },
      ...{ withdraw: broken, suspend: broken, resume: broken },
    });
    assert.deepEqual(
      [
        (await supplier.order(order, 1)).outcome,
        (await supplier.find(order, 1)).outcome,
        (await supplier.usage(esim, 1)).outcome,
        (await supplier.withdraw?.(esim, 1))?.outcome,
        (await supplier.suspend?.(esim, 1))?.outcome,
        (await supplier.resume?.(esim, 1))?.outcome,
      ],
      ['unknown', ...Array.from({ length: 5 }, () => 'unavailable')],
    );
    assert.equal(logged.length, 6);
  });

  test('no adapter is handed out without it', async () => {
    const { lying, log } = behindGate({
      usage: async () => ({ outcome: 'reading', reading: { ...reading, usedMb: -1 } }),
    });
    const db = { maybe: async () => ({ kind: 'new_kind' }) } as never;
    const registry = createRegistry(db, { new_kind: () => lying }, log);
    assert.equal((await (await registry.of('liar')).usage(esim, 1)).outcome, 'unavailable');
  });
});
