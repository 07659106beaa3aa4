import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { readSources, roomOf } from './support/sources.ts';

/** The room of src/ that writes a table. Everybody else asks its door. */
const owners: Readonly<Record<string, readonly string[]>> = {
  'billing/invoices': [
    'archived_closings',
    'billing_details',
    'invoice_accounts',
    'invoice_closings',
    'invoice_lines',
    'invoice_looks',
    'invoice_numbers',
    'invoice_start',
    'invoice_states',
    'invoices',
  ],
  'partners/applications': ['applications'],
  'sales/esims': ['esim_profiles'],
  'platform/audit': ['action_keys', 'audit_log'],
  // Only read and written by the version before this one.
  'money/books': ['book_sums'],
  'money/archive': ['archived_books', 'archived_transfers', 'archives'],
  catalog: [
    'catalog_imports',
    'catalog_states',
    'destination_changes',
    'destinations',
    'networks',
    'plan_changes',
    'plans',
    'previous_plans',
    'suppliers',
  ],
  'platform/db': ['backfills', 'migrations'],
  'insight/figures': ['request_figures'],
  'insight/rollups': [
    'ledger_by_month',
    'ledger_by_month_progress',
    'order_days_changed',
    'partner_plans_by_day',
    'partner_sales_by_day',
    'sales_by_day',
    'sales_by_day_progress',
    // Only servers of the previous version write these; the next release drops them.
    'destination_figures',
    'figure_progress',
    'ledger_figures',
    'order_figures',
    'orders_counted_open',
    'plan_figures',
    'plan_progress',
    'sale_day_sums',
    'sale_days_changed',
    'sale_figures',
    'sale_progress',
    'sale_running_sums',
    'sales_counted_open',
  ],
  'platform/jobs': ['processes'],
  'partners/keys': ['agent_purchases', 'api_keys'],
  'messages/mail': ['mails', 'notices', 'password_requests'],
  'money/ledger': ['movements', 'transfers', 'wallets'],
  'partners/notes': ['notes'],
  'partners/proposals': ['operator_amounts', 'proposals'],
  'sales/purchase': ['reached_limits'],
  'sales/orders': ['esim_keys', 'order_attempts', 'orders', 'sold_iccids'],
  'partners/accounts': ['partners'],
  'partners/people': [
    'member_links',
    'members',
    'passkeys',
    'people',
    'second_factors',
    'sessions',
    'sign_in_failures',
    'sign_in_places',
    'staff',
    'staff_dismissals',
    'staff_links',
    'staff_passkeys',
    'staff_places',
    'staff_second_factors',
    'staff_sessions',
    'staff_views',
  ],
  'partners/single-sign-on': ['member_identities', 'partner_domains', 'partner_sso', 'staff_identities'],
  'catalog/prices': ['price_contracts', 'pricing_rules'],
  // proof_checkpoints and proved_wallets are only read and written by the version before this one.
  'money/proof': ['proof_checkpoints', 'proofs', 'proved_wallets'],
  'sales/refunds': ['refunds'],
  'sales/autorefill-rows': ['autorefills'],
  'sales/replacements': ['esim_replacements'],
  'insight/request-log': ['request_log'],
  'catalog/retail': ['retail_prices', 'retail_terms'],
  'billing/revenue-share': ['revenue_share_totals', 'revenue_shares'],
  'supply/routes': ['auto_routes', 'routes'],
  'partners/saved-views': ['saved_views'],
  'insight/status-page': ['incident_updates', 'incidents', 'service_hours'],
  'supply/stock': ['stock_items', 'stock_plans'],
  'supply/calls': ['supplier_calls'],
  supply: [
    'catalog_syncs',
    'esim_go_orders',
    'supplier_accounts',
    'supplier_figures',
    'simulated.behaviours',
    'simulated.orders',
  ],
  'billing/topups': ['simulated_intents', 'topups'],
  travellers: ['brands', 'help_requests', 'traveller_links'],
  'sales/usage': ['esim_events', 'usage_readings'],
  'messages/airalo': ['airalo_notices', 'airalo_opt_ins', 'airalo_repeats'],
  'messages/webhooks': [
    'catalog_notices',
    'watch_backlog',
    'webhook_attempts',
    'webhook_deliveries',
    'webhook_queue',
    'webhook_subscriptions',
  ],
  worlds: ['account_clocks'],
};

/** A name and a value each: who writes a setting owns its name, not the table. */
const shared = ['settings'];

/** Who else reads a table in statements of its own: joins that one round trip has to answer. Everybody else asks the owner's door. */
const readers: Readonly<Record<string, readonly string[]>> = {
  account_clocks: ['partners/keys', 'partners/people', 'platform/db'],
  api_keys: ['partners/applications'],
  archived_books: ['money/books', 'money/proof'],
  archived_transfers: ['money/proof'],
  archives: ['billing/invoices', 'money/books', 'money/proof', 'sales/refunds'],
  catalog_syncs: ['catalog'],
  esim_replacements: ['money/proof', 'sales/esims', 'sales/purchase'],
  destinations: ['catalog/prices', 'insight/figures'],
  invoices: ['money/proof'],
  ledger_by_month: ['insight/figures'],
  ledger_by_month_progress: ['insight/figures', 'money/archive'],
  mails: ['platform/measure'],
  members: ['partners/accounts', 'partners/applications', 'platform/privacy'],
  migrations: ['platform/measure'],
  movements: [
    'billing/invoices',
    'billing/revenue-share',
    'catalog/prices',
    'insight/figures',
    'insight/rollups',
    'money/archive',
    'money/books',
    'money/proof',
    'sales/refunds',
  ],
  order_attempts: ['sales/order-lists'],
  orders: [
    'billing/invoices',
    'billing/revenue-share',
    'insight/rollups',
    'messages/airalo',
    'messages/webhooks',
    'money/archive',
    'money/books',
    'money/proof',
    'sales/autorefill-rows',
    'sales/esims',
    'sales/order-lists',
    'sales/purchase',
    'sales/refunds',
    'sales/replacements',
    'sales/usage',
    'supply/calls',
    'supply/stock',
    'travellers',
    'worlds',
  ],
  partner_plans_by_day: ['insight/figures'],
  partner_sales_by_day: ['insight/figures'],
  partner_sso: ['partners/people'],
  partners: [
    'billing/invoices',
    'billing/revenue-share',
    'catalog/prices',
    'insight/figures',
    'insight/request-log',
    'messages/webhooks',
    'money/books',
    'partners/applications',
    'partners/keys',
    'partners/people',
    'partners/single-sign-on',
    'platform/measure',
    'platform/privacy',
    'sales/order-lists',
    'sales/replacements',
    'worlds',
  ],
  people: ['partners/accounts'],
  plans: ['catalog/prices', 'sales/replacements', 'sales/usage', 'supply/routes', 'supply/stock', 'worlds'],
  processes: ['platform/measure'],
  proofs: ['platform/measure'],
  refunds: ['money/archive', 'money/proof', 'sales/esims', 'sales/order-lists', 'sales/purchase', 'sales/replacements'],
  revenue_share_totals: ['money/proof'],
  revenue_shares: ['money/proof'],
  sessions: ['partners/applications'],
  staff_identities: ['partners/people'],
  stock_items: ['platform/measure'],
  sales_by_day: ['insight/figures'],
  stock_plans: ['platform/measure'],
  suppliers: [
    'catalog/prices',
    'insight/figures',
    'platform/measure',
    'sales/orders',
    'sales/replacements',
    'sales/usage',
    'supply',
    'supply/routes',
    'supply/stock',
  ],
  topups: ['catalog/prices', 'money/proof'],
  transfers: ['insight/figures', 'insight/rollups', 'money/archive', 'money/books', 'money/proof'],
  usage_readings: ['billing/revenue-share', 'sales/esims', 'sales/orders', 'sales/refunds'],
  wallets: [
    'billing/invoices',
    'billing/revenue-share',
    'insight/figures',
    'money/archive',
    'money/books',
    'money/proof',
    'partners/accounts',
    'sales/purchase',
  ],
};

const ownerOf = new Map(Object.entries(owners).flatMap(([folder, tables]) => tables.map((table) => [table, folder])));

/** Sources without what is only written for their readers. */
const sources = readSources().map((source) => ({
  ...source,
  code: source.text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''),
}));

/** As the map above names it: tables of the simulated supplier stand in a schema of their own. */
const named = (path: string, schema: string | undefined, table: string): string =>
  schema === 'simulated' || path.startsWith('domains/supply/adapters/simulated/') ? `simulated.${table}` : table;

suite('a table has an owner', () => {
  test('every table of schema.sql has exactly one', () => {
    const schema = readFileSync(new URL('../schema.sql', import.meta.url), 'utf8');
    const tables = [...schema.matchAll(/^create (?:unlogged )?table (\w+)\.(\w+)\b(?! partition of)/gm)].map(
      ([, of, table = '']) => (of === 'simulated' ? `simulated.${table}` : table),
    );
    const listed = [...Object.values(owners).flat(), ...shared];
    assert.deepEqual([...listed].sort(), [...new Set(tables)].sort());
  });

  test('only its owner writes it', () => {
    const write =
      /\b(?:insert into|update|delete from|merge into|truncate|copy)\s+(?:only\s+)?(?:(live|sandbox|shared|simulated)\.)?(\w+)/g;
    const seen = new Set<string>();
    const wrong = sources.flatMap(({ path, code }) =>
      [...code.matchAll(write)].flatMap(([, schema, name = '']) => {
        const table = named(path, schema, name);
        const owner = ownerOf.get(table);
        if (owner === undefined) return [];
        seen.add(table);
        return owner === roomOf(path) ? [] : [`${path} writes ${table}, which is ${owner}'s`];
      }),
    );
    assert.deepEqual(wrong, []);
    assert.ok(seen.size >= 50, `${seen.size} tables are written by name`);
  });

  test('rooms that read another room’s table are listed', () => {
    const read = /\b(?:from|join|using)\s+(?:(live|sandbox|shared|simulated)\.)?(\w+)\b(?!\s*['(])/g;
    const found = new Map<string, Set<string>>();
    for (const { path, code } of sources)
      for (const [, schema, name = ''] of code.matchAll(read)) {
        const table = named(path, schema, name);
        const owner = ownerOf.get(table);
        if (owner === undefined || owner === roomOf(path)) continue;
        found.set(table, (found.get(table) ?? new Set()).add(roomOf(path)));
      }
    assert.deepEqual(
      Object.fromEntries([...found].sort().map(([table, folders]) => [table, [...folders].sort()])),
      readers,
    );
  });

  test('a statement whose table name is a value belongs to the owner of all the tables it may name', () => {
    // People of two kinds. The rotation of secrets, what is erased on request and a restored backup go through every table there is. Rows of a
    // log move between its partitions as they are.
    const allowed = [
      'domains/partners/people/',
      'platform/privacy/',
      'platform/vault/secret-rotation.ts',
      'platform/db/backup/restore.ts',
      'platform/jobs/partitions.ts',
    ];
    const found = sources.filter(({ code }) =>
      /(?<!for |no key )\b(?:insert into|update|delete from|copy) \$\{/.test(code),
    );
    assert.deepEqual(
      found.map(({ path }) => path).filter((path) => !allowed.some((one) => path.startsWith(one))),
      [],
    );
  });
});
