import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { folderOf, readSources } from './support/sources.ts';

/** The folder of src/ that writes a table. Everybody else asks its door. */
const owners: Readonly<Record<string, readonly string[]>> = {
  applications: ['applications'],
  audit: ['action_keys', 'audit_log'],
  books: ['book_sums'],
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
  db: ['backfills', 'migrations'],
  insight: [
    'destination_figures',
    'figure_progress',
    'ledger_figures',
    'order_figures',
    'orders_counted_open',
    'plan_figures',
    'plan_progress',
    'request_figures',
    'sale_day_sums',
    'sale_days_changed',
    'sale_figures',
    'sale_progress',
    'sale_running_sums',
    'sales_counted_open',
  ],
  jobs: ['processes'],
  keys: ['agent_purchases', 'api_keys'],
  mail: ['mails', 'notices', 'password_requests'],
  money: ['movements', 'transfers', 'wallets'],
  notes: ['notes'],
  orders: ['order_attempts', 'orders', 'sold_iccids'],
  partners: ['partners'],
  people: [
    'member_links',
    'members',
    'people',
    'second_factors',
    'sessions',
    'sign_in_failures',
    'sign_in_places',
    'staff',
    'staff_dismissals',
    'staff_links',
    'staff_places',
    'staff_second_factors',
    'staff_sessions',
    'staff_views',
  ],
  pricing: ['price_contracts', 'pricing_rules'],
  proof: ['proof_checkpoints', 'proofs', 'proved_wallets'],
  refunds: ['refunds'],
  'request-log': ['request_log'],
  retail: ['retail_prices', 'retail_terms'],
  'revenue-share': ['revenue_share_totals', 'revenue_shares'],
  routes: ['auto_routes', 'routes'],
  'saved-views': ['saved_views'],
  status: ['incident_updates', 'incidents', 'service_hours'],
  stock: ['stock_items', 'stock_plans'],
  'supplier-log': ['supplier_calls'],
  suppliers: [
    'catalog_syncs',
    'esim_go_orders',
    'supplier_accounts',
    'supplier_figures',
    'simulated.behaviours',
    'simulated.orders',
  ],
  topups: ['simulated_intents', 'topups'],
  'traveller-links': ['brands', 'traveller_links'],
  usage: ['esim_events', 'usage_readings'],
  webhooks: ['watch_backlog', 'webhook_attempts', 'webhook_deliveries', 'webhook_queue', 'webhook_subscriptions'],
  worlds: ['account_clocks'],
};

/** A name and a value each: who writes a setting owns its name, not the table. */
const shared = ['settings'];

/** Who else reads a table in statements of its own: joins that one round trip has to answer. Everybody else asks the owner's door. */
const readers: Readonly<Record<string, readonly string[]>> = {
  account_clocks: ['db', 'keys', 'people'],
  api_keys: ['applications'],
  book_sums: ['proof'],
  catalog_syncs: ['catalog'],
  destinations: ['console', 'insight', 'pricing'],
  mails: ['measure'],
  members: ['applications', 'partners'],
  migrations: ['measure'],
  movements: ['books', 'insight', 'pricing', 'proof', 'refunds', 'revenue-share'],
  order_attempts: ['order-lists'],
  orders: [
    'books',
    'cli',
    'esims',
    'insight',
    'order-lists',
    'proof',
    'purchase',
    'refunds',
    'revenue-share',
    'stock',
    'supplier-log',
    'traveller-links',
    'usage',
    'webhooks',
    'worlds',
  ],
  partners: [
    'applications',
    'books',
    'console',
    'insight',
    'keys',
    'measure',
    'order-lists',
    'people',
    'pricing',
    'request-log',
    'revenue-share',
    'start',
    'webhooks',
    'worlds',
  ],
  people: ['partners'],
  plans: ['cli', 'pricing', 'routes', 'start', 'stock', 'usage'],
  processes: ['measure'],
  proofs: ['measure'],
  refunds: ['order-lists', 'proof', 'purchase'],
  revenue_share_totals: ['proof'],
  revenue_shares: ['proof'],
  sessions: ['applications'],
  stock_items: ['measure'],
  stock_plans: ['measure'],
  suppliers: ['cli', 'console', 'insight', 'measure', 'orders', 'pricing', 'routes', 'stock', 'suppliers', 'usage'],
  topups: ['pricing', 'proof'],
  transfers: ['books', 'insight', 'proof'],
  usage_readings: ['esims', 'refunds', 'revenue-share'],
  wallets: ['books', 'insight', 'partners', 'proof', 'purchase', 'revenue-share'],
};

const ownerOf = new Map(Object.entries(owners).flatMap(([folder, tables]) => tables.map((table) => [table, folder])));

/** Sources without what is only written for their readers. */
const sources = readSources().map((source) => ({
  ...source,
  code: source.text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''),
}));

/** As the map above names it: tables of the simulated supplier stand in a schema of their own. */
const named = (path: string, schema: string | undefined, table: string): string =>
  schema === 'simulated' || path.startsWith('suppliers/simulated/') ? `simulated.${table}` : table;

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
        return owner === folderOf(path) ? [] : [`${path} writes ${table}, which is ${owner}'s`];
      }),
    );
    assert.deepEqual(wrong, []);
    assert.ok(seen.size >= 50, `${seen.size} tables are written by name`);
  });

  test('who reads the table of another is listed', () => {
    const read = /\b(?:from|join|using)\s+(?:(live|sandbox|shared|simulated)\.)?(\w+)\b(?!\s*['(])/g;
    const found = new Map<string, Set<string>>();
    for (const { path, code } of sources)
      for (const [, schema, name = ''] of code.matchAll(read)) {
        const table = named(path, schema, name);
        const owner = ownerOf.get(table);
        if (owner === undefined || owner === folderOf(path)) continue;
        found.set(table, (found.get(table) ?? new Set()).add(folderOf(path)));
      }
    assert.deepEqual(
      Object.fromEntries([...found].sort().map(([table, folders]) => [table, [...folders].sort()])),
      readers,
    );
  });

  test('a statement that takes the name of its table as a value stands with the owner of all it may be', () => {
    // Figures of two kinds, and people of two kinds. The rotation of secrets and a restored backup go through every table there is. Rows of a
    // log move between its partitions as they are.
    const allowed = [
      'insight/',
      'people/',
      'platform/vault/secret-rotation.ts',
      'platform/db/backup/restore.ts',
      'platform/db/migrate/partition-move.ts',
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
