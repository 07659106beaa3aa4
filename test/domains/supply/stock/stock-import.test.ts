import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DAY } from '../../../../src/platform/clock.ts';
import { Refused } from '../../../../src/platform/contract/refused.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { paidOrder, testPlan } from '../../../support/sales/paid-order.ts';
import { csvOf, type Item, importText, newItems, stockPlans } from '../../../support/suppliers/stock-shop.ts';

let t: TestApp;

before(async () => {
  t = await testApp();
  await stockPlans(t.base, ['one-gb', 'two-gb']);
});
after(() => t[Symbol.asyncDispose]());

const countItems = async () =>
  (await t.base.db.one<{ count: number }>(sql`select count(*)::int as count from live.stock_items`)).count;

async function problemsOf(text: string, more = '') {
  const before = await countItems();
  const result = await importText(t, text, more);
  assert.deepEqual([result.ok, result.error], [false, 'import_refused']);
  assert.equal(await countItems(), before, 'nothing was imported');
  assert.doesNotMatch(JSON.stringify(result), /SECRET/, 'no complaint repeats a code');
  return result.problems.map(({ line, column, reason }: Record<string, unknown>) => `${line} ${column}: ${reason}`);
}

test('a file in CSV or JSON, with the code or its parts, becomes items for sale, after a dry run that keeps nothing', async () => {
  const [first, second, third, fourth] = newItems(4) as [Item, Item, Item, Item];
  const parts = (item: Item) => ({
    smdp_address: 'smdp.depot.example',
    matching_id: item.activation_code.split('$')[2],
  });
  const csv = [
    '\uFEFFICCID;Activation_Code;expires_at;cost;label',
    `${first.iccid};${first.activation_code};2031-05-31;2.5;"two; ""words"""`,
    `${second.iccid};${second.activation_code.slice('LPA:'.length)};;;`,
    '',
  ].join('\r\n');
  const tried = await importText(t, csv, ' --dry-run');
  assert.equal(tried.items, 2);
  assert.equal(await countItems(), 0);
  const counts = await importText(t, csv, ' --cost 1.25 --expires 2031-01-01');
  assert.deepEqual(counts, { ...tried, first_expiry: new Date('2031-01-01T23:59:59Z'), without_expiry: 0 });
  const json = JSON.stringify([
    { iccid: third.iccid, ...parts(third), msisdn: '+3312345678', apn: 'internet', confirmation_code: '4711', cost: 3 },
    { iccid: fourth.iccid, activation_code: fourth.activation_code, ...parts(fourth), expires_at: null },
  ]);
  assert.deepEqual(await importText(t, json), {
    supplier: 'depot',
    plan: 'one-gb',
    items: 2,
    without_expiry: 2,
    first_expiry: null,
    available: 4,
    orders_tried: 0,
  });
  const listed = await run(t.operator(), 'stock list --supplier depot --plan one-gb --state available');
  assert.deepEqual(
    listed.map((one: Record<string, unknown>) => [one.iccid, one.cost, one.expires_at, one.label]),
    [
      [second.iccid, '1.250000', new Date('2031-01-01T23:59:59Z'), ''],
      [first.iccid, '2.500000', new Date('2031-05-31T23:59:59Z'), 'two; "words"'],
      [third.iccid, '3.000000', null, ''],
      [fourth.iccid, null, null, ''],
    ],
  );
  const shown = await run(t.operator(), `stock show ${first.iccid}`);
  assert.deepEqual([shown.state, shown.plan, shown.reference], ['available', 'one-gb', null]);
  for (const printed of [listed, shown, counts]) assert.doesNotMatch(JSON.stringify(printed), /SECRET|LPA:|smdp/);
});

test('every problem is reported with its line and column', async () => {
  const [good, other] = newItems(2) as [Item, Item];
  const yesterday = new Date(t.clock.now() - DAY).toISOString().slice(0, 10);
  const head = 'iccid,activation_code,smdp_address,matching_id,cost,expires_at';
  const csv = [
    head,
    `${good.iccid},${good.activation_code},,,,`,
    `12345,${other.activation_code},,,,`,
    `,,,,,`,
    `${other.iccid},LPA:nothing SECRET,,,1.2345678,tomorrow`,
    `${good.iccid},${good.activation_code},smdp.other.example,,,${yesterday}`,
    `8944999999999999999,,smdp.depot.example,,-1,`,
  ].join('\n');
  assert.deepEqual(await problemsOf(csv), [
    '3 iccid: must have 18 to 22 digits and nothing else',
    '4 iccid: is missing',
    '4 activation_code: is missing: give it, or smdp_address and matching_id',
    '5 activation_code: must be LPA:1$ with the host, $ and the matching id',
    '5 cost: must be an amount up to 100000.00 with at most six places',
    '5 expires_at: must be a date like 2030-05-31 or a time like 2030-05-31T12:00:00Z',
    '6 iccid: is on line 2, too',
    '6 smdp_address: is not the host in activation_code',
    '6 expires_at: has passed',
    '7 matching_id: is missing',
    '7 cost: must be an amount up to 100000.00 with at most six places',
  ]);
  assert.deepEqual(await problemsOf(csvOf(newItems(1)), ` --expires ${yesterday}`), ['2 expires_at: has passed']);
});

test('an eSIM that would be held when it is sold is refused when it is imported', async () => {
  const [one, other] = newItems(2) as [Item, Item];
  const csv = [
    'iccid,activation_code,confirmation_code',
    `${one.iccid},LPA:1$smdp.depot.example$<b>,`,
    `${other.iccid},${other.activation_code},<b>`,
  ].join('\n');
  assert.deepEqual(await problemsOf(csv), [
    '2 activation_code: has characters or a length that no activation code has',
    '3 confirmation_code: has characters or a length that no confirmation code has',
  ]);
});

test('a file that cannot be read is reported with the position, never with its content', async () => {
  const [item] = newItems(1) as [Item];
  const known =
    'iccid, activation_code, smdp_address, matching_id, confirmation_code, msisdn, apn, cost, expires_at, label';
  const line = `${item.iccid},${item.activation_code}`;
  const cases: Readonly<Record<string, readonly string[]>> = {
    '': ['1 iccid: there is no item in it'],
    '[]': ['1 iccid: there is no item in it'],
    [line]: [`1 1: is not a known column (${known})`, `1 2: is not a known column (${known})`],
    [`iccid,code\n${line}`]: [`1 code: is not a known column (${known})`],
    [`iccid,iccid\n${line}`]: ['1 iccid: iccid is there twice'],
    [`iccid,activation_code\n${line},more`]: ['2 activation_code: has 3 values, not 2'],
    [`iccid,activation_code\n${line}\n"${line}`]: ['3 character 1: a quote is opened and never closed'],
    [`iccid,label,activation_code\n${item.iccid},"two\nlines",SECRET\n`]: [
      '2 activation_code: must be LPA:1$ with the host, $ and the matching id',
      '2 label: has characters that cannot be printed',
    ],
    [`[\n{"iccid": "${item.iccid}", "activation_code": "${item.activation_code}" "label": "x"}]`]: [
      `2 character ${item.iccid.length + item.activation_code.length + 37}: is not valid JSON`,
    ],
    '{"iccid": "1"}': ['1 character 1: must be an array of objects'],
    '[\n1,\n{"iccd": "1"}]': ['2 iccid: item 1 must be an object', `3 iccd: is not a known column (${known})`],
    [`[{"iccid": 8944999000000000001,\n"activation_code": "${item.activation_code}"}]`]: ['1 iccid: must be text'],
  };
  for (const [text, problems] of Object.entries(cases)) assert.deepEqual(await problemsOf(text), problems, text);
});

test('an item that is in the file twice, in stock in any state, or sold from elsewhere is refused', async () => {
  const [here, there, sold] = newItems(3) as [Item, Item, Item];
  await importText(t, csvOf([here]));
  await importText(t, csvOf([there]), '', 'two-gb');
  await run(t.operator(), `stock discard ${there.iccid}`);
  const order = await paidOrder(t, { partnerId: await t.partner(), plan: await testPlan(t) });
  await t.base.worlds.live.db.run(sql`update orders set iccid = ${sold.iccid} where id = ${order.id}`);
  const [twice, fresh] = newItems(2) as [Item, Item];
  const sameCode = { ...fresh, activation_code: twice.activation_code };
  assert.deepEqual(await problemsOf(csvOf([here, there, sold, twice, twice, sameCode])), [
    '2 iccid: is in stock already (available)',
    '3 iccid: is in stock already (discarded)',
    '4 iccid: was sold before',
    '6 iccid: is on line 5, too',
    '6 activation_code: is on line 5, too',
    '7 activation_code: is on line 5, too',
  ]);
});

test('two imports of the same file at the same time: one of them imports it', async () => {
  const text = csvOf(newItems(50));
  const before = await countItems();
  const results = await Promise.all([importText(t, text), importText(t, text)]);
  assert.equal(await countItems(), before + 50);
  assert.equal(results.filter(({ ok }) => ok === false).length, 1);
});

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error) => (error instanceof Refused ? error.code : String(error)),
  );

test('only plans of a supplier of kind stock have items', async () => {
  const text = csvOf(newItems(1));
  assert.equal(await refusalOf(importText(t, text, '', 'no-such-plan')), 'product_not_found');
  const refusal = (words: string) => refusalOf(run(t.operator(), words));
  assert.equal(await refusal('stock set --supplier nobody --plan one-gb --low 1'), 'supplier_not_found');
  assert.equal(await refusal('stock show 8944999999999999999'), 'item_not_found');
  assert.equal(await refusal('stock import /no/such/file --supplier depot --plan one-gb'), 'file_unreadable');
});
