import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { TestClock } from '../../../support/clock.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { refused } from '../../../support/refusal.ts';
import { breaches, closeAll, invoicing, sell } from '../../../support/sales/invoices.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';

const clock = new TestClock();
clock.freeze(Date.UTC(2026, 11, 1, 1));
const t = await testApp({ role: 'api', clock, config: { invoicing } });
after(() => t[Symbol.asyncDispose]());
const november = new Date('2026-11-10T12:00:00Z');
const mine = await t.partner();
const theirs = await t.partner();
const key = await t.key(mine);
await run(t.operator(), [
  ...[
    'partner',
    'set',
    `${mine}`,
    '--legal-name',
    'Müller & <Söhne> "Reisen"',
    '--billing-address',
    'Rue 1|75002 Paris',
  ],
  ...['--billing-country', 'FR', '--vat-id', 'FR 12 345678901', '--billing-email', 'accounts@example.com'],
]);
for (const partnerId of [mine, theirs]) await sell(t, partnerId, { price: 450n, at: november, title: 'A & <B> =1+1' });
await closeAll(t);
const [row] = (await t.get('/invoice/list', { key })).body.invoices;
const [other] = await t.base.worlds.live.invoices.list({ partnerId: theirs, limit: 1 });

test('a row has exactly the fields of the contract', async () => {
  assert.deepEqual(row, {
    id: row.id,
    number: row.number,
    kind: 'invoice',
    status: 'paid',
    month: '2026-11',
    issued_at: '2026-12-01 01:00:00',
    due_at: null,
    net: '4.50',
    tax: '0.00',
    total: '4.50',
    amount_paid: '4.50',
    amount_due: '0.00',
    currency: 'USD',
    credits: null,
  });
  assert.ok(Number.isInteger(row.id));
});

test('the detail adds lines, seller and buyer as they were, and reason', async () => {
  const { invoice } = (await t.get(`/invoice/detail/${row.number}`, { key })).body;
  const { lines, seller, buyer, reason, ...rest } = invoice;
  assert.deepEqual(rest, row);
  assert.deepEqual(lines, [
    {
      ...{ description: 'A & <B> =1+1', quantity: 1, unit_price: '4.50', amount: '4.50' },
      ...{ tax_category: 'AE', tax_rate: '0.00' },
    },
  ]);
  assert.equal(seller.vat_id, 'DE123456789');
  assert.deepEqual(buyer, {
    ...{ name: 'Müller & <Söhne> "Reisen"', address: ['Rue 1', '75002 Paris'], country: 'FR' },
    ...{ vat_id: 'FR12345678901', email: 'accounts@example.com' },
  });
  assert.equal(reason, '');
});

test('another partner’s number, one that does not exist and one that is none are answered alike, by every address', async () => {
  for (const kind of ['detail', 'pdf', 'xml'])
    for (const number of [other?.number ?? '', 'INV2026-999999', "'--", '%00', 'x'.repeat(5_000), '..%2f..']) {
      const answer = await t.get(`/invoice/${kind}/${number}`, { key });
      if (answer.body?.error === 'malformed_request') continue;
      refused(answer, 'invoice_not_found');
    }
});

test('a key without read is refused, and a sandbox key does not find a live number', async () => {
  const buyer = await t.key(mine, 'live', { permissions: ['buy'] });
  assert.equal((await t.get('/invoice/list', { key: buyer })).body.error, 'key_not_permitted');
  const sandbox = await t.key(mine, 'sandbox');
  assert.equal((await t.get(`/invoice/detail/${row.number}`, { key: sandbox })).body.error, 'invoice_not_found');
});

test('filters and pages', async () => {
  const list = async (query: string) => (await t.get(`/invoice/list?${query}`, { key })).body;
  assert.equal((await list('status=paid')).count, 1);
  assert.equal((await list('status=open')).count, 0);
  assert.equal((await list('from=2026-12-01')).count, 1);
  assert.equal((await list('to=2026-12-01')).count, 0);
  assert.equal((await list(`before_id=${row.id}`)).count, 0);
  for (const [query, code] of [
    ['status=lost', 'invalid_status'],
    ['from=x', 'invalid_from'],
    ['to=x', 'invalid_to'],
    ['before_id=x', 'invalid_before_id'],
  ])
    assert.equal((await list(query ?? '')).error, code);
});

test('PDF and XML are files of their type, and never change by a byte, whatever the seller’s settings become', async () => {
  const seller = { ...invoicing.seller, name: 'Other GmbH' } as NonNullable<typeof invoicing.seller>;
  await using later = await testApp({
    ...{ role: 'api', clock, url: t.base.url, secret: t.base.config.secret ?? '' },
    config: {
      invoicing: { ...invoicing, seller, text: 'Other' },
      site: { ...t.base.config.site, name: 'Other', color: '#ff0000' },
    },
  });
  for (const kind of ['pdf', 'xml']) {
    const before = await t.get(`/invoice/${kind}/${row.number}`, { key });
    assert.equal(before.status, 200);
    assert.equal(before.headers['content-type'], `application/${kind}`);
    assert.ok(before.text.startsWith(kind === 'pdf' ? '%PDF' : '<?xml'));
    assert.equal((await later.get(`/invoice/${kind}/${row.number}`, { key })).text, before.text);
  }
  const xml = (await t.get(`/invoice/xml/${row.number}`, { key })).text;
  assert.ok(xml.includes('M&#xFC;ller &amp; &lt;S') || xml.includes('Müller &amp; &lt;Söhne&gt;'));
});

test('in the sandbox the test clock closes months; a reset deletes the documents, and numbers go on', async () => {
  const partnerId = await t.partner();
  const sandbox = await t.key(partnerId, 'sandbox');
  const plan = await testPlan(t);
  const { db } = t.base.worlds.sandbox;
  const buyAndClose = async () => {
    await sell(t, partnerId, { price: 450n, at: new Date(clock.now()) }, 'sandbox');
    await t.post('/sandbox/clock', { advance: String(35 * 86_400) }, { key: sandbox });
    return (await t.get('/invoice/list', { key: sandbox })).body.invoices;
  };
  assert.ok(plan);
  const [first] = await buyAndClose();
  assert.match(first.number, /^SANDBOX-INV2027-000001$/);
  assert.deepEqual(await breaches(t, 'sandbox'), []);
  const rehearse = () =>
    t.post('/sandbox/invoice', { number: first.number, event: 'invoice.voided' }, { key: sandbox });
  const answers = await Promise.all([rehearse(), rehearse(), rehearse()]);
  const [voided, ...others] = answers.toSorted((a, b) => a.status - b.status);
  assert.equal(voided?.body.invoice.status, 'void');
  for (const other of others) refused(other, 'invoice_not_found', { livemode: false });
  refused(
    await t.post('/sandbox/invoice', { number: first.number, event: 'invoice.voided' }, { key: sandbox }),
    'invoice_not_found',
    { livemode: false },
  );
  assert.deepEqual(await breaches(t, 'sandbox'), []);
  await t.post('/account/sandboxReset', {}, { key: sandbox });
  assert.deepEqual((await t.get('/invoice/list', { key: sandbox })).body.invoices, []);
  assert.deepEqual(await breaches(t, 'sandbox'), []);
  assert.deepEqual(await db.query(sql`select id from invoices where partner_id = ${partnerId}`), []);
  refused(
    await t.post('/sandbox/invoice', { number: row.number, event: 'invoice.voided' }, { key }),
    'sandbox_only_action',
  );
});
