import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { TestClock } from '../../../support/clock.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { type Browser, signedIn, signedInAs } from '../../../support/program/panel.ts';
import { closeAll, giveBack, invoicing, pay, sell } from '../../../support/sales/invoices.ts';

const clock = new TestClock();
clock.freeze(Date.UTC(2026, 11, 1, 1));
const t = await testApp({ role: 'panel', clock, config: { invoicing } });
after(() => t[Symbol.asyncDispose]());
const mine = await t.partner({ name: 'Alpine' });
const theirs = await t.partner({ name: 'Baltic' });
await run(t.operator(), `partner set ${mine} --billing postpaid --credit-limit 1000`);
const at = (text: string) => new Date(text);
await sell(t, mine, { price: 450n, at: at('2026-10-10T12:00:00Z'), title: '=1+1 "x"' });
const onTerms = await sell(t, mine, { price: 1000n, at: at('2026-11-10T12:00:00Z'), book: 'debt' });
await sell(t, theirs, { price: 450n, at: at('2026-11-10T12:00:00Z') });
await closeAll(t);
const ana = await signedIn(t, mine);
const list = async (query = '', by: Browser = ana) => (await by.get(`/api/live/invoices${query}`)).body;
const numbers = async (query = '') => (await list(query)).invoices.map(({ number }: { number: string }) => number);
const [november, october] = await numbers();
const [foreign] = (await t.base.worlds.live.invoices.list({ partnerId: theirs, limit: 1 })).map(({ number }) => number);

test('the list has what a row of the contract has, newest first, and its filters', async () => {
  const { invoices, has_more, is_issued } = await list();
  assert.deepEqual([invoices.length, has_more, is_issued], [2, false, true]);
  const { id, issued_at, due_at, ...row } = invoices[0];
  assert.deepEqual(row, {
    number: november,
    kind: 'invoice',
    status: 'open',
    month: '2026-11',
    credits: null,
    net: '8.40',
    tax: '1.60',
    total: '10.00',
    amount_paid: '0.00',
    amount_due: '10.00',
  });
  assert.deepEqual([issued_at.slice(0, 10), due_at.slice(0, 10)], ['2026-12-01', '2026-12-31']);
  assert.deepEqual(await numbers('?status=paid'), [october]);
  assert.deepEqual(await numbers('?status=overdue'), []);
  assert.deepEqual(await numbers(`?q=${november.slice(-4).toLowerCase()}`), [november]);
  assert.deepEqual(await numbers('?q=%25'), [], 'what is typed is no pattern');
  assert.deepEqual(await numbers(`?before=${id}`), [october]);
  const page = await list('?limit=1');
  assert.deepEqual([page.invoices.length, page.has_more], [1, true]);
  assert.deepEqual(await numbers('?status=nonsense&before=x'), [november, october], 'an old link still opens the list');
});

test('a document is shown as it was issued, and its files are the same bytes each time', async () => {
  const { invoice } = (await ana.get(`/api/live/invoices/${november}`)).body;
  assert.deepEqual(
    [invoice.buyer.name, invoice.seller.name, invoice.tax_category, invoice.tax_rate, invoice.is_prepaid],
    ['Alpine', 'Example Travel GmbH', 'S', '19.00', false],
  );
  assert.deepEqual(invoice.lines, [{ description: 'France 5 GB', quantity: 1, unit_price: '10.00', amount: '10.00' }]);
  const pdf = await ana.get(`/api/live/invoices/${november}/pdf`);
  assert.deepEqual(
    [pdf.status, pdf.headers['content-type'], pdf.headers['content-disposition'], pdf.headers['cache-control']],
    [200, 'application/pdf', `attachment; filename="${november}.pdf"`, 'private, no-store'],
  );
  assert.match(pdf.text, /^%PDF-/);
  assert.equal((await ana.get(`/api/live/invoices/${november}/pdf`)).text, pdf.text);
  const xml = await ana.get(`/api/live/invoices/${november}/xml`);
  assert.equal(xml.headers['content-type'], 'application/xml');
  assert.match(xml.text, new RegExp(`<cbc:ID>${november}</cbc:ID>`));
});

test("another partner's document is answered like one that does not exist", async () => {
  for (const file of ['', '/pdf', '/xml']) {
    const other = await ana.get(`/api/live/invoices/${foreign}${file}`);
    const none = await ana.get(`/api/live/invoices/INV2026-999999${file}`);
    assert.equal(other.status, 404);
    assert.equal(other.text, none.text, file);
  }
  assert.equal((await ana.get(`/api/live/invoices/${'9'.repeat(500)}`)).status, 404);
  assert.equal((await ana.get(`/api/sandbox/invoices/${november}`)).status, 404, 'nor does one of the other world');
});

test('the search finds a document by its number, in small letters too, and nobody else’s', async () => {
  const found = async (text: string, by: Browser = ana) =>
    (await by.get(`/api/live/search?q=${text}`)).body.results.map(({ kind, number }: Record<string, string>) => [
      kind,
      number,
    ]);
  assert.deepEqual(await found(november.toLowerCase()), [['invoice', november]]);
  assert.deepEqual(await found(foreign ?? ''), []);
  assert.deepEqual(await found(november, await signedInAs(t, mine, 'support')), []);
});

test("a month's lines are a file in which no cell becomes a formula", async () => {
  const { status, text, headers } = await ana.get('/api/live/invoice-lines.csv?month=2026-10');
  assert.equal(status, 200);
  assert.match(String(headers['content-disposition']), /invoice-lines-2026-10\.csv/);
  const [header, line, ...rest] = text.replace('\ufeff', '').trimEnd().split('\r\n');
  assert.deepEqual(rest, []);
  assert.equal(
    header,
    'number,kind,status,credits,month,issued_utc,description,quantity,unit_price_usd,amount_usd,tax_category,tax_rate',
  );
  assert.match(
    line ?? '',
    new RegExp(`^${october},invoice,paid,,2026-10,2026-.*Z,"'=1\\+1 ""x""",1,4\\.50,4\\.50,S,19\\.00$`),
  );
  assert.equal((await ana.get('/api/live/invoice-lines.csv?month=2020-01')).text.trim().split('\r\n').length, 1);
  for (const query of ['', '?month=', '?month=2026-13', '?month=x'])
    assert.equal((await ana.get(`/api/live/invoice-lines.csv${query}`)).status, 400, query);
});

test('owners and finance set billing details, and everybody who sees money sees them and what is missing', async () => {
  const before = (await ana.get('/api/billing-details')).body;
  assert.deepEqual(before, {
    billing: { legal_name: '', billing_address: [], billing_country: '', vat_id: '', billing_email: '', net_days: 30 },
    missing: ['legal_name', 'billing_address', 'billing_country'],
    is_issued: true,
  });
  assert.deepEqual((await ana.get('/api/live/notices')).body.missing_billing_details, before.missing);
  assert.deepEqual((await ana.get('/api/sandbox/notices')).body.missing_billing_details, []);
  const given = {
    legal_name: ' Alpine AG ',
    billing_address: 'Gasse 1\r\n\r\n1010 Wien',
    billing_country: 'AT',
    vat_id: 'atu 12345678',
    billing_email: 'bills@example.com',
  };
  const carl = await signedInAs(t, mine, 'finance');
  const { body } = await carl.post('/api/billing-details', given);
  assert.deepEqual(body.billing, {
    legal_name: 'Alpine AG',
    billing_address: ['Gasse 1', '1010 Wien'],
    billing_country: 'AT',
    vat_id: 'ATU12345678',
    billing_email: 'bills@example.com',
    net_days: 30,
  });
  assert.deepEqual((await ana.get('/api/billing-details')).body.missing, []);
  assert.deepEqual((await ana.get('/api/live/notices')).body.missing_billing_details, []);
  const kept = (await ana.get(`/api/live/invoices/${november}`)).body.invoice.buyer;
  assert.equal(kept.name, 'Alpine', 'what was issued stays as it was');
  for (const wrong of [
    { billing_country: 'EU' },
    { billing_country: 'UK' },
    { vat_id: 'x'.repeat(40) },
    { billing_email: 'nobody' },
    { billing_address: 'a\n'.repeat(9) },
  ]) {
    const refused = await ana.post('/api/billing-details', { ...given, ...wrong });
    assert.deepEqual(
      [refused.status, refused.body.error.code],
      [400, 'invalid_billing_details'],
      JSON.stringify(wrong),
    );
  }
  const emptied = await ana.post('/api/billing-details', { ...given, vat_id: '' });
  assert.equal(emptied.body.billing.vat_id, '');
  const { entries } = (await ana.get('/api/activity')).body;
  assert.match(JSON.stringify(entries), /ATU12345678/, 'the activity says what was changed');
});

test('roles without money see none of it, and read-only members change nothing', async () => {
  const paths = ['/api/live/invoices', `/api/live/invoices/${november}`, `/api/live/invoices/${november}/pdf`];
  for (const role of ['developer', 'support'] as const) {
    const by = await signedInAs(t, mine, role);
    for (const path of [...paths, '/api/live/invoice-lines.csv?month=2026-10', '/api/billing-details'])
      assert.equal((await by.get(path)).status, 403, `${role} ${path}`);
    assert.deepEqual((await by.get('/api/live/notices')).body.missing_billing_details, []);
  }
  const reader = await signedInAs(t, mine, 'read-only');
  assert.equal((await reader.get(paths[0] as string)).status, 200);
  const all = { legal_name: '', billing_address: '', billing_country: '', vat_id: '', billing_email: '' };
  assert.equal((await reader.post('/api/billing-details', all)).status, 403);
});

test('an account whose invoices are overdue is told so, and not that it must be reactivated', async () => {
  const { db } = t.base.worlds.live;
  await db.run(sql`update wallets set is_overdue = true where partner_id = ${mine}`);
  const { suspended, is_overdue } = (await ana.get('/api/live/notices')).body;
  assert.deepEqual([suspended, is_overdue], [true, true]);
  await run(t.operator(), `partner set ${mine} --suspended true`);
  assert.equal((await ana.get('/api/live/notices')).body.is_overdue, false, 'a payment alone would not end it');
  await run(t.operator(), `partner set ${mine} --suspended false`);
  await db.run(sql`update wallets set is_overdue = false where partner_id = ${mine}`);
});

test('a payment and a credit note show in the list', async () => {
  await pay(t, mine, 400n, new Date(clock.now()));
  const [open] = (await list()).invoices;
  assert.deepEqual([open.amount_paid, open.amount_due], ['4.00', '6.00']);
  await giveBack(t, mine, onTerms, { at: new Date(clock.now()) });
  clock.freeze(Date.UTC(2027, 0, 1, 1));
  await closeAll(t);
  const [note] = (await list('', await signedIn(t, mine))).invoices;
  assert.deepEqual([note.kind, note.status, note.credits, note.amount_due], ['credit_note', 'paid', november, '0.00']);
});
