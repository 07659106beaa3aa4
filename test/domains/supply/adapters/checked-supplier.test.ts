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

  test('a balance beyond a billion dollars is not one', async () => {
    const { supplier } = behindGate({ balance: async () => ({ outcome: 'balance', balance: toMicros(10n ** 20n) }) });
    assert.equal((await supplier.balance?.(1))?.outcome, 'unavailable');
  });

  test('reasons are one short line', async () => {
    const reason = `no\u0007\n${'x'.repeat(900_000)}`;
    const { supplier } = behindGate({ order: async () => ({ outcome: 'refused', reason }) });
    const answer = await supplier.order(order, 1);
    assert.ok('reason' in answer && answer.reason.length <= 200 && !/\p{Cc}/u.test(answer.reason));
  });

  test('an adapter that throws has an unknown outcome: nothing is ordered twice, and nothing throws for ever', async () => {
    const broken = () => Promise.reject(new RangeError('Infinity is not a BigInt'));
    const { supplier, logged } = behindGate({ order: broken, find: broken, usage: broken, withdraw: broken });
    assert.deepEqual(
      [
        (await supplier.order(order, 1)).outcome,
        (await supplier.find(order, 1)).outcome,
        (await supplier.usage(esim, 1)).outcome,
        (await supplier.withdraw?.(esim, 1))?.outcome,
      ],
      ['unknown', 'unavailable', 'unavailable', 'unavailable'],
    );
    assert.equal(logged.length, 4);
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
