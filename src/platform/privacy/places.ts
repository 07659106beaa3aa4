import { raw, type Sql, sql } from '../db/query/sql.ts';
import { OWN_KEY, type Vault } from '../vault/secrets.ts';
import { column, type Finder, finderOf, pattern, worlds } from './finder.ts';

/*
 * Every table with personal data, how the rows about somebody are found, and what erasing does to them. The comments on the columns in
 * the schema say what each of them holds; a test compares both, so that no table with personal data is left out here.
 *
 * The rows of a subject are found from its orders, its addresses or its account. What they are found by is erased last: a run that
 * was killed can be repeated and finds what is left.
 */

type Values = Readonly<Record<string, Sql>>;

export interface Place {
  readonly table: string;
  readonly rows: (find: Finder) => Sql | undefined;
  /** Values that columns get, or `delete`. Without it the rows are kept, and `kept` says why. */
  readonly erase?: 'delete' | Values | ((find: Finder, vault: Vault) => 'delete' | Values | undefined);
  /** Only these rows can be erased yet. */
  readonly only?: Sql;
  /** What tells a row that is still to be erased, where its new values are never the same. */
  readonly pending?: Sql | ((find: Finder) => Sql | undefined);
  readonly kept?: string;
  /** Sealed columns that an export has in the clear: texts that people wrote or got, never keys or links. */
  readonly opens?: readonly string[];
}

const ERASED = 'erased';
const ERASED_ADDRESS = 'erased@invalid';

/** The address replaced wherever these columns have it. */
const replaced =
  (types: Readonly<Record<string, 'text' | 'jsonb'>>) =>
  ({ address }: Finder): Values | undefined =>
    address === undefined
      ? undefined
      : Object.fromEntries(
          Object.entries(types).map(([name, type]) => [
            name,
            sql`regexp_replace(${column(name)}::text, ${pattern(address)}, ${ERASED}, 'gi')::${raw(type)}`,
          ]),
        );
const empty = sql`''`;
const none = sql`null`;
const LEGAL = 'accounts and tax law ask for it';
const PROOF = 'it proves what was sold, and that no eSIM is sold twice';

const byOrder = (find: Finder): Sql | undefined => find.orders('order_id');
const byPartner = (find: Finder): Sql | undefined => find.partner();
const byEither = (find: Finder): Sql | undefined => find.either(byOrder(find), byPartner(find));
const byAddress = (find: Finder): Sql | undefined => find.either(byPartner(find), find.email('email'));
/** These columns, left empty. */
const emptied = (...names: readonly string[]): Values => Object.fromEntries(names.map((name) => [name, empty]));

/** In each world, in the order in which they are erased. */
export const worldPlaces: readonly Place[] = [
  {
    table: 'help_requests',
    rows: (find) =>
      find.either(
        find.orders('order_id'),
        find.helpIds.length > 0 ? sql`t.id = any(${find.helpIds}::bigint[])` : undefined,
      ),
    erase: (_, vault) => ({
      sealed: sql`${vault.seal(JSON.stringify({ email: '', message: '' }))}`,
      answer: none,
      facts: sql`'{}'::jsonb`,
      state: sql`'closed'`,
      closed_at: sql`coalesce(t.closed_at, now())`,
    }),
    pending: sql`t.facts <> '{}'::jsonb`,
    opens: ['sealed', 'answer'],
  },
  { table: 'esim_profiles', rows: byOrder, erase: { brand: none, model: none, country: none } },
  {
    table: 'esim_replacements',
    rows: (find) => find.either(find.orders('order_id'), find.orders('old_order_id'), find.within('requested_by')),
    erase: (find) => replaced({ requested_by: 'text' })(find) ?? { reason: empty, ...byMember(find, 'requested_by') },
  },
  { table: 'refunds', rows: byOrder, erase: emptied('reason', 'note') },
  {
    table: 'request_log',
    rows: (find) => find.either(find.orders('order_id'), find.partner(), named(find), find.within('fields', 'answer')),
    erase: { fields: none, answer: none, address: empty },
    pending: sql`t.fields is not null or t.answer is not null or t.address <> ''`,
  },
  {
    table: 'supplier_calls',
    rows: byOrder,
    erase: { exchanges: sql`'[]'::json`, reason: empty },
    pending: sql`t.exchanges::text <> '[]' or t.reason <> ''`,
  },
  {
    table: 'webhook_attempts',
    rows: (find) => {
      const orders = find.either(find.orders('order_id'), find.partner());
      return (
        orders && sql`t.delivery_id in (select t.id from ${raw(`${find.world}.webhook_deliveries`)} t where ${orders})`
      );
    },
    erase: emptied('response_headers', 'response_body', 'error'),
  },
  {
    table: 'webhook_deliveries',
    rows: byEither,
    erase: { body: none, response_body: empty, error: empty, traceparent: none },
    only: sql`t.status in ('sent', 'dead')`,
    opens: ['body'],
  },
  { table: 'airalo_notices', rows: byEither, erase: { body: none }, only: sql`t.due_at is null` },
  { table: 'airalo_opt_ins', rows: byPartner, erase: { url: none } },
  {
    table: 'webhook_subscriptions',
    rows: byPartner,
    erase: (_, vault) => ({
      url: sql`'https://erased.invalid'`,
      deleted_at: sql`coalesce(t.deleted_at, now())`,
      secret: sql`${vault.seal('')}`,
      previous_secret: none,
      previous_secret_until: none,
    }),
    pending: sql`t.url <> 'https://erased.invalid'`,
  },
  {
    table: 'traveller_links',
    rows: byOrder,
    erase: {
      revoked_at: sql`coalesce(t.revoked_at, now())`,
      views: sql`0`,
      installs_opened: sql`0`,
      installed_at: none,
    },
  },
  {
    table: 'stock_items',
    rows: (find) => {
      const ids = find.orders('id');
      return ids && sql`t.reference in (select t.supplier_order from ${raw(`${find.world}.orders`)} t where ${ids})`;
    },
    erase: { esim: sql`${OWN_KEY}`, label: empty },
    only: sql`t.state = 'sold'`,
  },
  { table: 'esim_keys', rows: (find) => find.orders('id'), erase: 'delete' },
  {
    table: 'usage_readings',
    rows: (find) => find.iccids('iccid'),
    kept: 'refunds and revenue shares are decided by it',
  },
  { table: 'esim_events', rows: byOrder, kept: 'no event may be sent twice' },
  { table: 'autorefills', rows: byOrder, kept: PROOF },
  { table: 'sold_iccids', rows: (find) => find.iccids('iccid'), kept: PROOF },
  { table: 'order_attempts', rows: byOrder, kept: PROOF },
  { table: 'movements', rows: byEither, kept: LEGAL },
  { table: 'topups', rows: byPartner, kept: LEGAL },
  { table: 'invoices', rows: (find) => find.either(find.partner(), find.within('buyer')), kept: LEGAL },
  {
    table: 'orders',
    rows: (find) => find.orders('id'),
    erase: {
      reference: empty,
      traceparent: none,
      script: none,
      esim: sql`case when t.esim is not null then ${OWN_KEY}::bytea end`,
    },
    kept: `${LEGAL}; ${PROOF}`,
  },
];

/** Of an account that goes as a whole, its members' names for what they did. */
const byMember = ({ subject }: Finder, name: string): Values | undefined =>
  subject.kind === 'partner'
    ? { [name]: sql`case when ${column(name)} like 'member:%' then 'member:erased' else ${column(name)} end` }
    : undefined;

/** Rows of the log whose fields or answer name the eSIM or the reference. */
function named({ quoted }: Finder): Sql | undefined {
  return quoted === undefined
    ? undefined
    : sql`position(${quoted} in t.fields::text) > 0 or position(${quoted} in t.answer) > 0`;
}

/** An account that is open needs its owners and the address it is reached at. */
const isClosed = sql`exists (select from shared.partners p where p.id = t.partner_id and p.deleted_at is not null)`;
const unplaced = sql`not exists (select from shared.members m where m.person_id = t.id)`;
const another = sql`exists (
  select from shared.members o where o.partner_id = t.partner_id and o.role = 'owner' and o.id <> t.id)`;

const ofMembers = (find: Finder, name: string, of: string): Sql | undefined => {
  const members = find.either(find.partner(), find.email('email'));
  return members && sql`${column(name)} in (select ${column(of)} from shared.members t where ${members})`;
};

/** What both worlds share, in the order in which it is erased. */
export const sharedPlaces: readonly Place[] = [
  { table: 'mails', rows: (find) => find.either(find.partner(), find.email('recipient')), erase: 'delete' },
  { table: 'notices', rows: (find) => find.either(find.partner(), find.within('facts')), erase: 'delete' },
  { table: 'password_requests', rows: (find) => find.email('email'), erase: 'delete' },
  {
    table: 'notes',
    rows: (find) => find.either(find.partner(), notesOfOrders(find), find.within('author', 'text')),
    erase: (find) => replaced({ author: 'text', text: 'text' })(find) ?? 'delete',
  },
  {
    table: 'applications',
    rows: byAddress,
    erase: {
      ...emptied('company', 'question', 'answer', 'note'),
      name: sql`${ERASED}::text`,
      email: sql`${ERASED_ADDRESS}::text`,
      details: sql`'{}'::jsonb`,
      source: none,
    },
  },
  {
    table: 'billing_details',
    rows: byAddress,
    erase: ({ address }) =>
      address === undefined ? emptied('legal_name', 'address', 'vat_id', 'country', 'email') : emptied('email'),
  },
  {
    table: 'brands',
    rows: byPartner,
    erase: { ...emptied('display_name', 'support_url', 'refill_url'), logo: none, logo_type: none },
  },
  {
    table: 'api_keys',
    rows: byPartner,
    erase: { name: empty, note: empty, allow_list: sql`'{}'::text[]`, refused_address: none, sealed: none },
  },
  {
    table: 'proposals',
    rows: (find) =>
      find.either(
        find.partner(),
        find.within('who', 'decided_by', 'words', 'reason'),
        find.quoted === undefined ? undefined : sql`position(${find.quoted} in t.words) > 0`,
      ),
    erase: (find, vault) =>
      replaced({ who: 'text', decided_by: 'text', words: 'text', reason: 'text' })(find) ?? {
        words: empty,
        terms: sql`'{}'::jsonb`,
        reason: empty,
        sealed: sql`${vault.seal('{}')}`,
      },
    pending: ({ address }) => (address === undefined ? sql`t.words <> ''` : undefined),
    only: sql`t.state <> 'waiting'`,
  },
  {
    table: 'esim_go_orders',
    rows: (find) => find.either(...worlds.map((world) => finderOf(find.subject, world).iccids('iccid'))),
    erase: { source_ip: none },
  },
  { table: 'operator_amounts', rows: (find) => find.within('who'), erase: (find) => replaced({ who: 'text' })(find) },
  { table: 'proofs', rows: (find) => find.within('asked_by'), erase: (find) => replaced({ asked_by: 'text' })(find) },
  { table: 'catalog_imports', rows: (find) => find.within('who'), erase: (find) => replaced({ who: 'text' })(find) },
  {
    table: 'audit_log',
    rows: (find) => find.either(find.partner(), changesOfOrders(find), find.within('who', 'target', 'before', 'after')),
    erase: (find) =>
      replaced({ who: 'text', target: 'text', before: 'jsonb', after: 'jsonb' })(find) ?? {
        ...byMember(find, 'who'),
        target: sql`case when t.target like '%@%' then 'erased' else t.target end`,
        before: withoutTexts('before'),
        after: withoutTexts('after'),
      },
    kept: 'it says who changed what, without addresses and texts',
  },
  { table: 'sessions', rows: (find) => ofMembers(find, 'member_id', 'id'), erase: 'delete' },
  { table: 'sign_in_places', rows: (find) => ofMembers(find, 'person_id', 'person_id'), erase: 'delete' },
  { table: 'saved_views', rows: (find) => ofMembers(find, 'member_id', 'id') },
  { table: 'partner_domains', rows: byPartner, erase: 'delete' },
  {
    table: 'members',
    rows: byAddress,
    erase: 'delete',
    only: sql`(${isClosed} or t.role <> 'owner' or ${another})`,
    kept: 'the only owner of an open account: name another one, or close the account',
  },
  {
    table: 'people',
    rows: (find) => find.either(find.email('email'), find.partner() && unplaced),
    erase: 'delete',
    only: unplaced,
  },
  {
    table: 'staff',
    rows: (find) => find.email('email'),
    kept: 'an operator: `operator remove` deletes everything about them',
  },
  {
    table: 'partners',
    rows: (find) => find.either(find.partner('id'), find.email('email')),
    erase: ({ address }) => ({
      email: sql`${ERASED_ADDRESS}::text`,
      ...(address === undefined && { name: sql`'Erased partner ' || t.id` }),
    }),
    only: sql`t.deleted_at is not null`,
    kept: 'the contact of an open account: change it or close the account',
  },
];

/** What entries about somebody's orders and account say in words, or of addresses. */
const TEXTS = [
  'reference',
  'iccid',
  'reason',
  'note',
  'text',
  'name',
  'email',
  'url',
  'legal_name',
  'address',
  'vat_id',
  'to',
];
const withoutTexts = (name: string): Sql =>
  sql`case when jsonb_typeof(${column(name)}) = 'object' then ${column(name)} - ${TEXTS}::text[] else ${column(name)} end`;

const changesOfOrders = (find: Finder): Sql | undefined =>
  find.either(
    ...worlds.map((world) => {
      const ids = finderOf(find.subject, world).orders('id');
      const name = world === 'live' ? '' : `${world} `;
      if (!ids || find.subject.kind === 'partner') return undefined;
      const targets = (prefix: string) =>
        sql`t.target in (select ${prefix}::text || t.id from ${raw(`${world}.orders`)} t where ${ids})`;
      // Members' entries name the world in their fields.
      const mine = sql`(${targets('order ')} and coalesce(t.after ->> 'mode', t.before ->> 'mode', 'live') = ${world})`;
      return name === '' ? mine : sql`(${mine} or ${targets(`${name}order `)})`;
    }),
  );

const notesOfOrders = (find: Finder): Sql | undefined =>
  find.either(
    ...worlds.map((world) => {
      const ids = finderOf(find.subject, world).orders('order_id');
      return ids && sql`(t.mode = ${world} and ${ids})`;
    }),
  );
