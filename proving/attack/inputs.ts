import { memberRoles, operatorRoles, operators } from '../../src/domains/partners/people/people.ts';
import { previewStates } from '../../src/entry/traveller/preview.ts';
import { sql } from '../../src/platform/db/query/sql.ts';
import type { Things } from './things.ts';

/** The input of a change; a function where each attempt needs new input. */
export type Tried = object | (() => object | Promise<object>);

/** Not tried: they only delete, or change the person's own password. They reveal nothing, and later steps need what they would delete. */
export const leftOut: readonly RegExp[] = [
  /\/(delete|remove|revoke|prune|sandboxReset)$/,
  /\/(password|confirm|end-others|end|sign-out|operator\/set)$/,
  /\/(second-factor|passkeys|sso)(\/|$)/,
];

/** The input of every command in the console, by the command's name. */
export function consoleInputs(things: Things): Readonly<Record<string, readonly Tried[]>> {
  const { t, demo, rich, receiver, subscriptions, ids, owner, mailbox, application } = things;
  const partner = String(demo.partnerId);
  const [live, sandbox] = [
    { id: ids.live.orders ?? '', mode: 'live' },
    { id: ids.sandbox.orders ?? '', mode: 'sandbox' },
  ];
  const both = [live, sandbox];
  const webhooks = Object.values(subscriptions).map((id) => ({ id }));
  const newOperator = async () => {
    const email = mailbox('nobody');
    const made = await t.base.db.tx((tx) => operators.create(tx, { email, role: 'support' }, t.clock.now()));
    return { id: String(made.operatorId) };
  };
  const pendingMember = async () => ({
    id: String(
      (await t.base.db.one<{ id: number }>(sql`select id from members where email = 'pending@attack.example'`)).id,
    ),
  });
  return {
    'partner/create': [() => ({ name: 'Another', email: mailbox('nobody') })],
    'partner/set': [{ id: partner, 'balance-alert': '20' }],
    'partner/open-live': [{ id: partner }],
    'key/create': [
      { partner, mode: 'live' },
      { partner, mode: 'sandbox' },
      { partner, mode: 'live', permissions: 'read,buy,money,webhooks' },
    ],
    'key/set': [{ id: ids.live.keys, allow: 'any' }],
    'member/invite': [
      ...memberRoles.names.map((role) => () => ({ partner, email: mailbox(`${role} member`), role })),
      () => ({ partner, email: mailbox('read-only member') }),
      { partner, email: owner },
      { partner, email: 'pending@attack.example' },
    ],
    'member/set': [async () => ({ ...(await pendingMember()), role: 'owner' })],
    'member/reset-second-factor': [{ id: ids.live.members }],
    'operator/invite': operatorRoles.names.map((role) => () => ({ email: mailbox(`${role} operator`), role })),
    'operator/reset-second-factor': [newOperator],
    'application/approve': [async () => ({ id: await application(), version: '1', billing: 'prepaid' })],
    'application/ask': [async () => ({ id: await application(), version: '1', question: 'tried' })],
    'application/reject': [async () => ({ id: await application(), version: '1', note: 'tried' })],
    'mail/test': [() => ({ address: mailbox('nobody') })],
    'invoice/issue': [{ partner, month: '2020-01' }],
    'invoice/credit': [{ number: ids.live.invoices, reason: 'tried' }],
    'invoice/send': [{ number: ids.live.invoices }],
    'wallet/credit': [{ partner, amount: '1.00' }],
    'wallet/payment': [{ partner, amount: '1.00' }],
    'wallet/adjust': [{ partner, add: '1.00', note: 'tried' }],
    'catalog/import': [{ source: 'airalo', 'dry-run': true }],
    'catalog/product/set': [{ product: demo.productId, 'on-sale': 'auto' }],
    'pricing/rule/add': [{ scope: 'country', target: 'JP', share: '5' }],
    'pricing/rule/remove': [{ id: '999999' }],
    'pricing/cap': [{ pct: '60' }],
    'pricing/tiers': [{ 'window-days': '30' }],
    'webhook/create': (['live', 'sandbox'] as const).map((mode) => () => ({ partner, mode, url: `${receiver()}/new` })),
    'webhook/set': webhooks.map(({ id }) => () => ({ id, url: `${receiver()}/set` })),
    'webhook/rotate': webhooks.flatMap(({ id }) => [{ id }, { id, finish: true }, { id, now: true }]),
    'webhook/pause': [{ id: rich.sandbox.holding }],
    'webhook/resume': [{ id: rich.sandbox.working }],
    'webhook/requeue': [{ mode: 'sandbox' }, { subscription: rich.sandbox.disabled }],
    'order/fail': [{ id: rich.stuck }],
    'order/cancel': [{ id: rich.stuck }],
    'order/retry': [{ id: rich.stuck }],
    'order/resend': both,
    'order/reveal': both,
    'order/refund': [{ ...sandbox, id: rich.sandbox.used, amount: '0.01' }],
    'refund/approve': [{ id: rich.sandbox.refundRequested, mode: 'sandbox', amount: '0.01' }],
    'refund/reject': [{ id: rich.live.delivered }],
    'refund/approve-many': [{ orders: `${rich.sandbox.refundRequested}=requested-0-0`, mode: 'sandbox' }],
    'refund/reject-many': [{ orders: `${rich.live.delivered}=none`, note: 'tried' }],
    'replacement/approve': both,
    'replacement/reject': both,
    'replacement/approve-many': [{ orders: rich.live.delivered }],
    'replacement/reject-many': [{ orders: rich.live.delivered }],
    'note/add': [{ order: ids.live.orders, text: 'Only operators know what was tried' }],
    '/operator/api/home/dismiss': [{ kind: 'old_proof', of: '', state: '1' }],
    'supplier/set': [{ supplier: 'aurora', markup: 'none' }],
    'route/set': [
      { product: 'esc_0123456789abcdef', alternates: 'esc_fedcba9876543210' },
      { product: demo.productId, alternates: demo.productId, 'dry-run': true },
    ],
    'route/clear': [{ product: 'esc_0123456789abcdef' }, { product: demo.productId, 'dry-run': true }],
    'incident/write': [{ title: 'Attacked', text: 'Written by an attacker', impact: 'minor', parts: 'api' }],
    'incident/update': [{ id: '1', text: 'More of it', status: 'monitoring', version: '1' }],
    'incident/resolve': [{ id: '1', text: 'Over', version: '1' }],
    'route/auto': [
      { setting: 'off', supplier: 'aurora' },
      { setting: 'on', 'dry-run': true },
    ],
    '/operator/api/catalog/import': [{ input: { 'dry-run': true }, text: '{"supplier":{},"plans":[]}' }],
    'stock/discard': [{ iccid: '8944999999999999999' }],
    'stock/release': [{ iccid: '8944999999999999999' }],
    'stock/set': [{ supplier: 'aurora', plan: 'any', low: '5' }],
    '/operator/api/stock/import': [{ input: { supplier: 'aurora', plan: 'any', 'dry-run': true }, text: '[]' }],
    '/operator/api/suppliers/add': [
      { supplier: 'attacked', kind: 'esim_go', title: 'Attacked', settings: { key: 'k', url: 'http://127.0.0.1:9' } },
    ],
    '/operator/api/suppliers/account': [{ supplier: 'attacked', title: 'Attacked', settings: { key: 'other' } }],
    '/operator/api/proposals/{id}/reject': [{ reason: 'Attacked' }],
    '/operator/api/views': [() => ({ list: 'orders', name: mailbox('nobody'), filters: { status: 'failed' } })],
    '/operator/api/views/{id}': [{ name: 'Renamed' }],
    'supplier/test': [{ supplier: 'airalo' }, { supplier: 'aurora' }],
    'sandbox/clock/advance': [{ partner, by: '1s' }],
    'sandbox/clock/reset': [{ partner }],
    'audit/request': [{}],
    'privacy/export': [{ email: 'unknown@attack.example' }, { iccid: '8944999999999999999' }],
    'privacy/erase': [{ email: 'unknown@attack.example' }, { reference: 'unknown' }],
    'topup/check': [{ paymentKey: ids.live.topups }],
    settle: [{}],
    'revenue-share/set': [{ 'grace-days': '7' }],
  };
}

/** The input of a member's changes, by path. */
export function memberInputs({ t, receiver, demo, ids, mailbox }: Things): Readonly<Record<string, readonly Tried[]>> {
  const now = () => ({ as_of: new Date(t.clock.now()).toISOString() });
  const brand = {
    display_name: 'Island',
    color: '#336699',
    support_url: '',
    refill_url: 'https://shop.example/{iccid}',
    allows_replacement: true,
  };
  return {
    '/api/keys': [
      { mode: 'live', allow_list: '' },
      { mode: 'sandbox', allow_list: '' },
      { mode: 'live', allow_list: '', permissions: ['read', 'webhooks'] },
    ],
    '/api/keys/{id}': [{ allow_list: '' }],
    '/api/members': memberRoles.names.map((role) => () => ({ email: mailbox(`${role} member`), role })),
    '/api/members/{id}/role': [{ role: 'owner' }],
    '/api/{mode}/webhooks': [() => ({ url: `${receiver()}/new`, events: [] })],
    '/api/{mode}/webhooks/{id}': [() => ({ url: `${receiver()}/set` })],
    '/api/{mode}/webhooks/{id}/resend': [now],
    '/api/{mode}/deliveries/{id}/resend': [now],
    '/api/{mode}/orders/{id}/resend': [now],
    '/api/{mode}/orders/{id}/share/mail': [() => ({ email: mailbox('nobody'), language: 'de' })],
    '/api/{mode}/help-requests/{id}/answer': [{ text: 'Turn on roaming.' }],
    '/api/{mode}/purchases': [{ product_id: demo.productId, max_price: '0.01' }],
    '/api/balance-alert': [{ level: '20' }],
    '/api/billing-details': [
      {
        legal_name: 'Island',
        billing_address: 'Road 1',
        billing_country: 'BS',
        vat_id: '',
        billing_email: mailbox('nobody'),
      },
    ],
    '/api/live-application': [
      { company: 'Island', address: 'Road 1', country: 'BS', tax_number: '1', volume: '1', use: 'tried' },
    ],
    '/api/live-application/answer': [{ version: 1, answer: 'tried' }],
    '/api/retail/terms': [{ currency: 'USD', rate: '', markup: '40', ending: '.99' }],
    '/api/retail/destination': [{ code: 'JP', markup: '40' }],
    '/api/retail/plan': [{ plan: demo.productId, price: '9.99' }],
    '/api/views': [() => ({ list: 'orders', name: mailbox('nobody'), filters: { status: 'failed' } })],
    '/api/views/{id}': [{ name: 'Renamed' }],
    '/api/brand': [brand],
    '/api/brand/preview': [{ ...brand, language: 'en', state: previewStates[0] }],
    '/api/sandbox/clock/advance': [{ by: '1s' }],
    '/api/sandbox/try': [
      { key: demo.sandboxKey, path: '/order/detail', param: ids.sandbox.orders, fields: {} },
      { key: demo.liveKey, path: '/order/detail', param: ids.live.orders, fields: {} },
    ],
  };
}
