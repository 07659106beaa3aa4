import type pg from 'pg';

/**
 * What live may delete. Its role has the right to delete from these tables and no other, whatever a statement says. Add a table with
 * the reason its rows may go.
 */
export const PRUNED_IN_LIVE: readonly string[] = [
  // Activation data is destroyed by deleting its key; the order stays.
  'esim_keys',
  // A delivery leaves the queue when it is done; the log keeps it.
  'webhook_queue',
  // The log is for looking up what happened lately, and it outgrows everything else; orders and the ledger stay.
  'webhook_deliveries',
  // Goes with its delivery.
  'webhook_attempts',
  // Webhooks in Airalo's form that were sent or given up: a log, as that of deliveries.
  'airalo_notices',
  // Which order a repeated one was. That ends after a minute.
  'airalo_repeats',
  // A change leaves it once its day is counted again.
  'order_days_changed',
  // Sums for charts: what no order adds to any more is deleted. The orders stay.
  'partner_sales_by_day',
  'partner_plans_by_day',
  'sales_by_day',
  // Written by servers of the previous version, and to be dropped in the next one.
  'orders_counted_open',
  'sales_counted_open',
  'sale_days_changed',
  'sale_day_sums',
  // Sums for charts; the orders and the ledger stay.
  'request_figures',
  // The latest calls of each account; what was done is in the orders and the ledger.
  'request_log',
  // Recent calls to suppliers; their results are in the orders.
  'supplier_calls',
];

/** The role of a world's connections: it has its own schema and reads `shared`, except `OWNER_ONLY`. */
export const worldRole = { live: 'wayfare_live', sandbox: 'wayfare_sandbox' } as const;

const APPEND_ONLY = ['movements', 'transfers', 'invoices', 'invoice_lines'] as const;
/** Written by the owner alone, who archives. */
const READ_ONLY = ['archives', 'archived_books', 'archived_transfers', 'archived_closings'] as const;
/**
 * Sign-ins, mail, what agents spend, what people asked or applied for, accounts at suppliers, notes, proposals: neither world needs
 * to read them.
 */
const OWNER_ONLY = [
  'people',
  'members',
  'member_identities',
  'member_links',
  'partner_domains',
  'partner_sso',
  'sessions',
  'passkeys',
  'second_factors',
  'staff',
  'staff_dismissals',
  'staff_identities',
  'staff_links',
  'staff_passkeys',
  'staff_places',
  'staff_second_factors',
  'staff_sessions',
  'staff_views',
  'sign_in_places',
  'sign_in_failures',
  'mails',
  'notices',
  'password_requests',
  'agent_purchases',
  'action_keys',
  'supplier_accounts',
  'applications',
  'notes',
  'operator_amounts',
  'proposals',
  'saved_views',
  'retail_terms',
  'retail_prices',
] as const;

/** A schema that is brought up from an earlier version has fewer tables on the way, or not yet all worlds. */
export async function grantRoles(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(
    'select nspname as schema from pg_namespace where nspname = any($1)',
    [Object.keys(worldRole)],
  );
  const worlds = Object.entries(worldRole).filter(([schema]) => rows.some((row) => row.schema === schema));
  // Sent at once: migrations hold locks meanwhile.
  await client.query(worlds.flatMap(([schema, role]) => rightsOf(schema, role)).join(';\n'));
}

const rightsOf = (schema: string, role: string): string[] => [
  // Roles belong to the whole server: an administrator may have made it, or another database may be making it right now.
  `do $$ begin
    if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if;
  exception when duplicate_object or unique_violation then null; end $$`,
  // In PostgreSQL 15 membership always includes the right to set the role; from 16 on that is a right of its own.
  `do $$ begin if not pg_has_role(current_user, '${role}',
    case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end)
  then grant ${role} to current_user; end if; end $$`,
  `grant usage on schema shared, ${schema} to ${role}`,
  `grant select on all tables in schema shared to ${role}`,
  ...OWNER_ONLY.map((table) => ifThere(`shared.${table}`, `revoke all on shared.${table} from ${role}`)),
  // A world queues notices for a partner; it cannot read who receives them, or how.
  ifThere('shared.notices', `grant insert on shared.notices to ${role}`),
  // The console's home page shows how many of them wait.
  ifThere('shared.applications', `grant select (status, since) on shared.applications to ${role}`),
  ifThere('shared.proposals', `grant select (state, created_at, expires_at) on shared.proposals to ${role}`),
  `grant select, insert, update on all tables in schema ${schema} to ${role}`,
  `grant usage on all sequences in schema ${schema} to ${role}`,
  ...APPEND_ONLY.map((table) => ifThere(`${schema}.${table}`, `revoke update on ${schema}.${table} from ${role}`)),
  ...READ_ONLY.map((table) =>
    ifThere(`${schema}.${table}`, `revoke insert, update on ${schema}.${table} from ${role}`),
  ),
  ...(schema === 'sandbox' ? [`grant delete on all tables in schema sandbox to ${role}`] : []),
  ...(schema === 'live'
    ? PRUNED_IN_LIVE.map((table) => ifThere(`live.${table}`, `grant delete on live.${table} to ${role}`))
    : []),
];

const ifThere = (table: string, statement: string): string =>
  `do $$ begin if to_regclass('${table}') is not null then ${statement}; end if; end $$`;
