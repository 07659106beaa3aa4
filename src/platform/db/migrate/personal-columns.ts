import type pg from 'pg';

/*
 * What the columns with personal data hold, why, for how long, and who may read it. This becomes the comments on the columns, `personal: …`,
 * from which the table in docs/privacy.md is generated (`npm run schema`). A test holds that every column of text is either here or in its
 * list of those that say nothing about a person.
 */

/** Columns that have no table follow one of the same table. */
type Row = readonly [columns: string, what: string, why: string, kept: string, readers: string];

const ACCOUNT = 'until the account is erased';
const ERASED = 'until it is erased';
const MEMBER = 'until the member is removed';
const OPERATOR = 'until the operator is removed';
const LEGAL = 'as long as accounts and tax law ask for it';
const CODES = '`CODE_RETENTION_DAYS` after the end of the eSIM';
const DELIVERIES = '`DELIVERY_RETENTION_DAYS`';
const SESSION = 'until the session ends';
const AUDIT = 'accountability';
const SUPPORT = 'operators, the partner';
const OPERATORS = 'operators';
const NO_ONE = 'nobody';
const NOBODY = `${NO_ONE}: it is sealed or hashed`;

const world: readonly Row[] = [
  [
    'orders.esim esim_keys.sealed',
    'activation data of an eSIM, and its key',
    'delivery',
    CODES,
    'the partner, the traveller; operators one at a time, logged',
  ],
  [
    'orders.iccid sold_iccids.iccid stock_items.iccid autorefills.iccid esim_events.iccid esim_replacements.old_iccid',
    'number of an eSIM',
    'service, and proof that none is sold twice',
    LEGAL,
    SUPPORT,
  ],
  ['orders.reference', 'the partner’s own reference', 'finding the order', ERASED, SUPPORT],
  [
    'orders.idempotency_key esim_replacements.idempotency_key',
    'the partner’s own name of a request',
    'the same key never buys twice',
    LEGAL,
    'the partner',
  ],
  ['orders.traceparent webhook_deliveries.traceparent', 'trace of the caller', 'finding errors', ERASED, NO_ONE],
  ['orders.country_code', 'destination of a plan', 'invoices, support', LEGAL, SUPPORT],
  ['esim_profiles.iccid state brand model country', 'the phone and its country', 'support', ERASED, SUPPORT],
  ['usage_readings.iccid state', 'the last usage reading', 'usage, refunds and revenue shares', LEGAL, SUPPORT],
  [
    'help_requests.iccid facts language sealed answer',
    'a traveller’s address and message, what was known, and the answer',
    'support',
    ERASED,
    'the partner, the traveller',
  ],
  [
    'esim_replacements.reason requested_by refunds.reason note',
    'what people wrote about a replacement or refund',
    'decisions',
    ERASED,
    SUPPORT,
  ],
  [
    'request_log.address fields answer',
    'address, fields and answer of an API call, secrets masked',
    'finding errors',
    '7 days',
    SUPPORT,
  ],
  ['supplier_calls.reason exchanges', 'calls to suppliers, secrets masked', 'finding errors', '30 days', OPERATORS],
  ['webhook_deliveries.body', 'body of a webhook, with activation data', 'delivery', '30 days', 'the partner'],
  [
    'webhook_deliveries.response_body error webhook_attempts.response_headers response_body error',
    'what a receiver answered',
    'finding errors',
    DELIVERIES,
    SUPPORT,
  ],
  ['webhook_subscriptions.url airalo_opt_ins.url', 'address of a receiver', 'delivery', ACCOUNT, SUPPORT],
  ['airalo_notices.url body', 'address and body of a webhook in Airalo’s form', 'delivery', DELIVERIES, SUPPORT],
  ['stock_items.esim label', 'activation data of an item of stock', 'sale', CODES, OPERATORS],
  [
    'invoices.buyer reason text invoice_lines.description movements.note',
    'billing address of a partner; what documents and the ledger say',
    'invoices',
    LEGAL,
    SUPPORT,
  ],
  ['topups.payment_key intent_id', 'a payment at the card provider', 'payments', LEGAL, SUPPORT],
];

const shared: readonly Row[] = [
  ['partners.name email', 'name and contact of an account', 'the contract', ACCOUNT, SUPPORT],
  ['billing_details.legal_name address country vat_id email', 'billing address', 'invoices', ACCOUNT, SUPPORT],
  [
    'brands.display_name support_url refill_url logo',
    'how the traveller’s page looks',
    'the page',
    ACCOUNT,
    'everybody who has a link',
  ],
  ['people.email members.email', 'address of a member', 'signing in', MEMBER, SUPPORT],
  [
    'people.password_hash member_links.hash second_factors.secret recovery_hashes passkeys.credential_id public_key',
    'sign-in credentials of a member',
    'signing in',
    MEMBER,
    NOBODY,
  ],
  ['passkeys.name', 'the member’s name of a passkey', 'signing in', MEMBER, 'the member'],
  [
    'sessions.hash address user_agent sign_in_places.source',
    'where a member is signed in',
    'security',
    SESSION,
    'the member',
  ],
  [
    'member_identities.issuer subject',
    'a member’s identity at their company’s sign-in service',
    'signing in',
    MEMBER,
    NOBODY,
  ],
  ['partner_domains.confirmed_by', 'the operator who confirmed a mail domain', 'security', ACCOUNT, OPERATORS],
  ['sign_in_failures.subject', 'hash of an address that failed to sign in', 'security', 'a day', NOBODY],
  ['saved_views.name filters', 'saved filters', 'the panel', MEMBER, 'the member'],
  [
    'staff.email staff_identities.issuer subject',
    'address and identity of an operator',
    'signing in',
    OPERATOR,
    OPERATORS,
  ],
  [
    'staff.password_hash staff_links.hash staff_second_factors.secret recovery_hashes staff_passkeys.credential_id public_key staff_views.hash',
    'how an operator signs in',
    'signing in',
    OPERATOR,
    NOBODY,
  ],
  [
    'staff_passkeys.name staff_sessions.hash address user_agent staff_places.source',
    'where an operator is signed in',
    'security',
    SESSION,
    'the operator',
  ],
  [
    'applications.name company email details question answer note source decided_by link_hash',
    'an application',
    'deciding it',
    ERASED,
    OPERATORS,
  ],
  [
    'mails.recipient content about error',
    'a mail: receiver, and its text until it is sent',
    'delivery',
    '30 days',
    OPERATORS,
  ],
  ['notices.facts password_requests.email', 'a mail to be written', 'delivery', 'minutes', NO_ONE],
  ['notes.author text', 'operators’ notes', 'support', 'until they are deleted', OPERATORS],
  ['api_keys.name note allow_list refused_address', 'name and addresses of a key', 'security', ACCOUNT, SUPPORT],
  [
    'audit_log.who target before after',
    'who changed what',
    AUDIT,
    'for good; texts and addresses until they are erased',
    SUPPORT,
  ],
  [
    'proposals.who words terms decided_by reason sealed',
    'what operators proposed and decided',
    AUDIT,
    ERASED,
    OPERATORS,
  ],
  [
    'operator_amounts.who proofs.asked_by catalog_imports.who',
    'which operator did something',
    AUDIT,
    'until the address is erased',
    OPERATORS,
  ],
  [
    'esim_go_orders.iccid source_ip',
    'ICCIDs ordered from eSIM Go, and the address each report came from',
    'finding orders again',
    ERASED,
    NO_ONE,
  ],
  ['action_keys.sealed', 'responses to requests sent twice', 'clicking twice acts once', 'a day', NOBODY],
];

interface PersonalColumn {
  readonly schema: 'world' | 'shared';
  readonly name: string;
  readonly comment: string;
}

export const personalColumns: readonly PersonalColumn[] = (['world', 'shared'] as const).flatMap((schema) =>
  (schema === 'world' ? world : shared).flatMap(([columns, ...facts]) =>
    namesIn(columns).map((name) => ({ schema, name, comment: `personal: ${facts.join('; ')}` })),
  ),
);

function namesIn(columns: string): string[] {
  let table = '';
  return columns.split(' ').map((name) => {
    if (!name.includes('.')) return `${table}.${name}`;
    [table = ''] = name.split('.');
    return name;
  });
}

/** After a migration, for the columns that are there: a schema on its way from an earlier version does not have all of them yet. */
export async function commentColumns(client: Pick<pg.Client, 'query'>): Promise<void> {
  const wanted = personalColumns.flatMap(({ schema, name, comment }) =>
    (schema === 'world' ? ['live', 'sandbox'] : ['shared']).map((one) => ({ at: `${one}.${name}`, comment })),
  );
  const { rows } = await client.query<{ statement: string }>(
    `select format('comment on column %I.%I.%I is %L', table_schema, table_name, column_name, wanted.comment) as statement
    from jsonb_to_recordset($1) as wanted (at text, comment text)
    join information_schema.columns on at = table_schema || '.' || table_name || '.' || column_name`,
    [JSON.stringify(wanted)],
  );
  await client.query(rows.map(({ statement }) => statement).join(';\n'));
}
