import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dueDatesOf } from '../../../src/domains/billing/invoices/invoices.ts';
import { DAY, HOUR } from '../../../src/platform/clock.ts';
import { billingInput } from '../../../web/src/console/pages/partners/inputs.ts';
import { textsOf } from '../../../web/src/subjects/invoices/billing.ts';
import { TestClock } from '../../support/clock.ts';
import { testApp } from '../../support/program/app.ts';
import { runAs, signedInOperator } from '../../support/program/console.ts';
import { run } from '../../support/program/operator.ts';
import { signedIn } from '../../support/program/panel.ts';
import { closeAll, invoicing, sell } from '../../support/sales/invoices.ts';

const clock = new TestClock();
clock.freeze(Date.UTC(2026, 11, 1, 1));
const t = await testApp({ role: 'panel', clock, config: { invoicing } });
after(() => t[Symbol.asyncDispose]());
const alpine = await t.partner({ name: 'Alpine' });
const baltic = await t.partner({ name: 'Baltic' });
await run(t.operator(), `partner set ${alpine} --billing postpaid --credit-limit 1000`);
const at = (text: string) => new Date(text);
await sell(t, alpine, { price: 1000n, at: at('2026-10-10T12:00:00Z'), book: 'debt' });
await sell(t, alpine, { price: 2000n, at: at('2026-11-10T12:00:00Z'), book: 'debt' });
await sell(t, baltic, { price: 450n, at: at('2026-11-10T12:00:00Z') });
await closeAll(t);
const admin = await signedInOperator(t, 'admin');
const reader = await signedInOperator(t, 'read-only');
const list = async (query = '') => {
  const answer = await reader.get(`/operator/api/live/invoices${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const numbers = async (query: string) => (await list(query)).invoices.map(({ number }: { number: string }) => number);
const ofAlpine: string[] = await numbers(`?partner=${alpine}`);
const [november = '', october = ''] = ofAlpine;

test('all documents are listed with their partners, and filters narrow them down', async () => {
  const { invoices, has_more, partner } = await list();
  assert.deepEqual([invoices.length, has_more, partner], [3, false, null]);
  assert.equal(invoices.find(({ number }: { number: string }) => number === november).partner.name, 'Alpine');
  assert.deepEqual(await numbers('?partner=alp'), ofAlpine);
  assert.deepEqual(await numbers('?status=open&partner=baltic'), []);
  assert.deepEqual(await numbers(`?q=${october.toLowerCase()}`), [october]);
  const page = await list('?limit=1');
  assert.deepEqual([page.invoices.length, page.has_more], [1, true]);
  for (const query of ['limit=101', 'status=x', 'age=7', 'before=x', 'partner=nobody'])
    assert.equal((await reader.get(`/operator/api/live/invoices?${query}`)).status, 400, query);
});

test('the search finds a document by its number', async () => {
  const { results } = (await reader.get(`/operator/api/search?q=${november.toLowerCase()}`)).body;
  assert.deepEqual(results, [
    {
      ...{ kind: 'invoice', mode: 'live', number: november, partner_id: alpine, partner: 'Alpine' },
      ...{ status: 'open', month: '2026-11', total: '20.00' },
    },
  ]);
});

test('what is to be paid is summed up by how late it is, and each sum is the list below it', async () => {
  const { invoices } = t.base.worlds.live;
  const sums = (await list()).ages.map(({ age, count, due }: Record<string, unknown>) => `${age} ${count} ${due}`);
  assert.deepEqual(sums, ['not_due 2 30.00', '0 0 0.00', '30 0 0.00', '60 0 0.00', '90 0 0.00']);
  assert.deepEqual([await numbers('?age=not_due'), await numbers('?age=0')], [ofAlpine, []]);
  const due = Date.parse((await list(`?q=${november}`)).invoices[0].due_at);
  const ageAfter = async (days: number) => {
    // Whatever the hour is.
    const now = due + days * DAY + 23 * HOUR;
    const [only, ...others] = (await invoices.sumByAge(now)).filter(({ count }) => count > 0);
    assert.ok(only);
    assert.deepEqual([others, only.due], [[], 3000n]);
    const listed = await invoices.list({ unpaidDue: dueDatesOf(only.age, now), limit: 9 });
    assert.equal(listed.length, 2);
    return only.age;
  };
  const found = [];
  for (const days of [0, 1, 29, 30, 59, 60, 89, 90, 400]) found.push(await ageAfter(days));
  assert.deepEqual(found, ['not_due', '0', '0', '30', '30', '60', '60', '90', '90']);
  assert.deepEqual((await list(`?partner=${baltic}`)).ages[0], { age: 'not_due', count: 0, due: '0.00' });
});

test('a document has its files for every operator, and none of them for a member', async () => {
  const { invoice, partner, mailed_to, is_mail_on } = (await reader.get(`/operator/api/live/invoices/${november}`))
    .body;
  assert.deepEqual([invoice.number, partner.name, mailed_to, is_mail_on], [november, 'Alpine', '', false]);
  assert.match((await reader.get(`/operator/api/live/invoices/${november}/pdf`)).text, /^%PDF-/);
  assert.match((await reader.get(`/operator/api/live/invoices/${november}/xml`)).text, /^<\?xml/);
  const member = await signedIn(t, alpine);
  for (const path of ['invoices', `invoices/${november}`, `invoices/${november}/pdf`])
    assert.equal((await member.get(`/operator/api/live/${path}`)).status, 401, path);
  assert.equal((await reader.get('/operator/api/live/invoices/INV2026-999999')).status, 404);
  assert.equal((await reader.get(`/operator/api/sandbox/invoices/${november}`)).status, 404);
});

test('an operator who views the panel sees the documents and their files, and changes no billing details', async () => {
  const viewer = await signedInOperator(t, 'admin');
  assert.equal((await viewer.post(`/operator/api/partners/${alpine}/view`, {})).status, 200);
  const shown = (await viewer.get('/api/live/invoices')).body;
  assert.equal(shown.invoices[0].number, november);
  assert.equal((await viewer.get(`/api/live/invoices/${november}`)).body.invoice.buyer.name, 'Alpine');
  assert.match((await viewer.get(`/api/live/invoices/${november}/pdf`)).text, /^%PDF-/);
  const all = { legal_name: '', billing_address: '', billing_country: '', vat_id: '', billing_email: '' };
  assert.equal((await viewer.post('/api/billing-details', all)).body.error.code, 'view_only');
});

test('finance records a payment and voids an invoice from its page; others are refused', async () => {
  const finance = await signedInOperator(t, 'finance');
  for (const [command, input] of [
    ['wallet payment', { partner: String(alpine), amount: '10' }],
    ['invoice credit', { number: november, reason: 'wrong name' }],
  ] as const)
    assert.equal((await runAs(reader, command, input)).status, 403, command);
  assert.equal((await runAs(finance, 'wallet payment', { partner: String(alpine), amount: '10' })).status, 200);
  const paid = (await finance.get(`/operator/api/live/invoices/${october}`)).body.invoice;
  assert.deepEqual([paid.status, paid.amount_due], ['paid', '0.00']);
  const { result } = (await runAs(finance, 'invoice credit', { number: november, reason: 'wrong name' })).body;
  assert.deepEqual([result.number, result.status], [november, 'void']);
  const note = (await finance.get(`/operator/api/live/invoices/${result.credit_note}`)).body.invoice;
  assert.deepEqual(
    [note.kind, note.credits, note.reason, note.total],
    ['credit_note', november, 'wrong name', '20.00'],
  );
  assert.equal((await runAs(finance, 'invoice send', { number: november })).body.error.code, 'mail_off');
});

test("a partner's billing details are changed field by field, and emptied by a word", async () => {
  const billing = async () => (await reader.get(`/operator/api/partners/${baltic}`)).body.partner;
  const none = await billing();
  assert.deepEqual(none.billing_missing, ['legal_name', 'billing_address', 'billing_country']);
  const wanted = {
    legal_name: 'Baltic OÜ',
    billing_address: 'Pikk 1\n10123 Tallinn',
    billing_country: 'EE',
    vat_id: 'EE123456789',
    billing_email: '',
  };
  const input = { id: String(baltic), ...billingInput(none.billing, wanted, '14') };
  assert.deepEqual(Object.keys(input), [
    'id',
    'legal-name',
    'billing-address',
    'billing-country',
    'vat-id',
    'net-days',
  ]);
  assert.equal((await runAs(admin, 'partner set', input)).status, 200);
  const { billing: now, billing_missing } = await billing();
  assert.deepEqual(
    [textsOf(now), now.net_days, billing_missing],
    [{ ...wanted, billing_address: wanted.billing_address, net_days: 14 }, 14, []],
  );
  const emptied = billingInput(now, { ...wanted, vat_id: '', billing_address: '' }, '14');
  assert.deepEqual(emptied, { 'billing-address': 'none', 'vat-id': 'none' });
  assert.equal((await runAs(admin, 'partner set', { id: String(baltic), ...emptied })).status, 200);
  const after = (await billing()).billing;
  assert.deepEqual([after.vat_id, after.billing_address, after.legal_name], ['', [], 'Baltic OÜ']);
});

test('operators see who sells and how each kind of buyer is taxed', async () => {
  const { seller, taxes, suspend_days } = (await reader.get('/operator/api/invoice-settings')).body;
  assert.deepEqual([seller.name, seller.tax_rate, suspend_days], ['Example Travel GmbH', '19.00', null]);
  assert.deepEqual(
    taxes.map(({ buyer, category, rate, missing }: Record<string, unknown>) => [buyer, category, rate, missing]),
    [
      ['no_country', 'S', '19.00', []],
      ['same_country', 'S', '19.00', []],
      ['eu_without_vat_id', 'S', '19.00', []],
      ['eu_with_vat_id', 'AE', '0.00', []],
      ['abroad', 'O', '0.00', []],
    ],
  );
});

test('without a seller the home of the console says that no invoice is issued, once somebody bought something', async () => {
  await using bare = await testApp({ role: 'panel', clock });
  const by = await signedInOperator(bare, 'read-only');
  const alerts = async () =>
    (await by.get('/operator/api/home')).body.parts.find(({ part }: { part: string }) => part === 'invoices').alerts;
  const partner = await bare.partner();
  assert.deepEqual(await alerts(), []);
  await sell(bare, partner, { price: 450n, at: at('2026-11-10T12:00:00Z') });
  const [alert, ...others] = await alerts();
  assert.deepEqual([alert.kind, alert.count, others], ['missing_seller', 1, []]);
  const settings = (await by.get('/operator/api/invoice-settings')).body;
  assert.deepEqual([settings.seller, settings.taxes], [null, []]);
});

test('an invoice that waits for a setting is named with it on the home of the console', async () => {
  const seller = { ...(invoicing.seller as NonNullable<typeof invoicing.seller>), id: '' };
  await using some = await testApp({ role: 'panel', clock, config: { invoicing: { ...invoicing, seller } } });
  const partner = await some.partner();
  await run(some.operator(), `partner set ${partner} --billing-country US`);
  await sell(some, partner, { price: 450n, at: at('2026-11-10T12:00:00Z') });
  await closeAll(some);
  const by = await signedInOperator(some, 'read-only');
  const { parts } = (await by.get('/operator/api/home')).body;
  const [alert] = parts.find(({ part }: { part: string }) => part === 'invoices').alerts;
  assert.deepEqual([alert.kind, alert.count, alert.about], ['waiting_invoices', 1, 'SELLER_ID']);
});
