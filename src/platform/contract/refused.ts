/**
 * Every refusal below the API: the status with which the panel and the console answer it, and its sentence. A code that is not here
 * does not compile. Codes without a sentence get one where they are thrown.
 *
 * A failure of a service we depend on is 424, not 502: a proxy would take a 502 for our own failure, and try another process or
 * drop this one.
 */
const table = {
  // Who is asking
  sign_in_required: [401, 'sign in first'],
  wrong_email_or_password: [401, 'the e-mail address or the password is wrong'],
  code_required: [401, 'enter a code of your authenticator app, or a recovery code'],
  wrong_password: [403, 'the current password is wrong'],
  wrong_code: [403, 'the code is wrong, or was used before'],
  wrong_passkey: [403, 'this passkey was not accepted'],
  confirmation_required: [403, 'confirm that it is you: enter your password again'],
  second_factor_required: [403],
  role_forbids: [403],
  own_proposal: [403, 'you proposed this yourself; another operator has to decide'],
  view_only: [403, 'you are viewing this account as an operator, so nothing can be changed'],
  cross_origin: [403],
  partner_disabled: [403, 'the account is disabled; ask the operator'],
  live_not_open: [403, 'live is not open for this account yet; an operator has to approve it first'],
  sso_begin_again: [403, 'this sign-in was begun elsewhere, or too long ago; begin again'],
  sso_failed: [403, 'your company’s sign-in did not confirm who you are; try again'],
  sso_not_invited: [
    403,
    'your company knows you, but nobody has invited you here; ask a colleague who manages this account',
  ],
  sso_required: [403, 'this account requires single sign-on: sign in with your company’s account'],
  sso_session: [403, 'you signed in with your company’s account; this belongs to a sign-in with a password'],
  sso_not_found: [404, 'no account signs in with the address of this company'],
  sso_no_role: [403, 'your company gives you no role here'],
  sso_unverified_address: [403, 'your company’s sign-in does not confirm your e-mail address'],
  sso_other_person: [
    403,
    'somebody else of your company signs in with this address; ask a colleague who manages this account',
  ],
  airalo_door_off: [409, 'software made for Airalo cannot sign in here: the operator has not set AIRALO_DOOR=on'],
  too_many_attempts: [429, 'too many attempts, try again later'],

  action_key_required: [400, 'this page is from an older version: reload it, then try again'],
  invalid_action_key: [400, 'a key has 1 to 200 letters, digits and symbols, without spaces'],

  // What does not exist, or is somebody else's
  not_found: [404],
  link_not_valid: [404, 'the link is no longer valid'],
  account_not_found: [404, 'you are not a member of this account'],
  partner_not_found: [404, 'this partner does not exist'],
  member_not_found: [404, 'this member does not exist'],
  operator_not_found: [404, 'this operator does not exist'],
  passkey_not_found: [404, 'this passkey does not exist'],
  session_not_found: [404, 'this session has ended already'],
  key_not_found: [404, 'this API key does not exist'],
  subscription_not_found: [404, 'this webhook does not exist'],
  delivery_not_found: [404, 'this delivery does not exist'],
  order_not_found: [404, 'this order does not exist'],
  help_request_not_found: [404, 'this request for help does not exist'],
  help_without_address: [409, 'the traveller gave no email address'],
  refund_not_found: [404],
  invoice_not_found: [404, 'this invoice does not exist'],
  replacement_not_found: [404],
  esim_not_found: [404],
  topup_not_found: [404, 'this payment does not exist'],
  request_not_found: [404, 'this request is not in the log, which keeps 7 days'],
  product_not_found: [404, 'this plan does not exist'],
  supplier_not_found: [404, 'this supplier does not exist'],
  source_not_found: [404],
  previous_list_not_found: [404, 'no earlier list of this supplier is stored'],
  item_not_found: [404, 'there is no eSIM with this ICCID in stock'],
  route_not_found: [404, 'this product has no route'],
  incident_not_found: [404, 'this incident does not exist'],
  view_not_found: [404, 'this view does not exist'],
  rule_not_found: [404, 'this price rule does not exist'],
  note_not_found: [404, 'this note does not exist'],
  target_not_found: [404],
  application_not_found: [404, 'this application does not exist'],
  proposal_not_found: [404, 'this proposal does not exist'],

  // What cannot be done as things stand
  partner_open: [409],
  too_much_data: [409],
  partner_closed: [409, 'the account is closed'],
  member_exists: [409],
  member_accepted: [409],
  member_limit_reached: [409, 'the account has reached its limit of members'],
  invitation_limit_reached: [
    409,
    'until live is open, an account can invite three people and repeat three invitations; apply for live, or ask the operator',
  ],
  last_member: [409, 'the last member who can sign in must stay'],
  last_owner: [409, 'the last owner who can sign in must stay an owner'],
  operator_exists: [409],
  break_glass_stays: [
    409,
    'this is who gets in if single sign-on fails; choose somebody else first, or stop requiring it',
  ],
  sso_not_set: [409, 'set up single sign-on first'],
  sso_not_tried: [409, 'nobody has signed in by single sign-on yet; try it before you require it'],
  no_break_glass: [409, 'choose somebody with a password and a second factor who gets in if single sign-on fails'],
  domain_taken: [409, 'this domain is confirmed for another partner'],
  last_admin: [409, 'the last admin who can sign in must stay an admin; only the command line can change that'],
  second_factor_on: [409, 'your second factor is on; turn it off first'],
  second_factor_off: [409],
  passkey_exists: [409, 'this passkey is known already'],
  passkey_limit_reached: [409, 'the limit of passkeys is reached; remove one first'],
  passkeys_unavailable: [409, 'passkeys need an address with a name, not one of numbers'],
  last_way_in: [409, 'this is your last way to sign in; add another one first'],
  second_factor_not_started: [409, 'start again: there is no key to confirm'],
  key_limit_reached: [409, 'the limit of active keys is reached; revoke one first'],
  subscription_limit_reached: [409, 'the limit of webhooks is reached; delete one first'],
  url_already_subscribed: [409, 'a webhook with this address already exists'],
  view_exists: [409, 'a view of this list already has this name'],
  view_limit_reached: [409, 'the limit of saved views is reached; delete one first'],
  retail_limit_reached: [409, 'the limit of retail prices is reached; remove one first'],
  mode_immutable: [409, 'a webhook cannot be moved to the other world'],
  link_not_mailed: [409],
  mail_limit_reached: [409, 'the daily limit of these mails is reached; send the link yourself'],
  own_address_only: [403, 'the sandbox mails only the address you sign in with'],
  action_key_reused: [409, 'this was already sent with other values; check what that changed, then try again'],
  shown_once: [409, 'this was done, and what it shows is shown only once; replace it if you did not see it'],
  action_in_progress: [409, 'this is still running; try again in a moment'],
  refund_changed: [409],
  incident_changed: [409, 'somebody else has written about this incident meanwhile; look at it again'],
  application_changed: [409],
  proposal_changed: [409],
  proposal_closed: [409],
  application_open: [409, 'you have asked already; an operator will answer'],
  live_open: [409, 'live is open for this account already'],
  not_migrated: [409],
  newer_database: [409],
  older_database: [409],
  processes_running: [409],
  delivery_not_dead: [409],
  too_many_deliveries: [409, 'too many deliveries to resend at once; choose a shorter period'],
  queue_full: [409],
  payload_pruned: [409, 'the body is no longer stored, so it cannot be sent again'],
  order_not_open: [409],
  order_archived: [409],
  month_archived: [409],
  year_open: [409],
  ledger_broken: [409],
  not_an_archive: [409],
  no_activation_data: [409],
  not_shareable: [409, 'this order has no page to share'],
  refund_decided: [409],
  replacement_decided: [409],
  seller_not_set: [409, 'set SELLER_NAME, SELLER_ADDRESS and SELLER_COUNTRY first: they stand on every invoice'],
  month_not_over: [409],
  nothing_to_invoice: [409],
  invoice_issued: [409],
  invoice_void: [409],
  not_an_invoice: [409],
  invalid_billing_details: [400],
  replacement_not_possible: [409],
  refund_too_large: [409],
  withdrawal_in_progress: [409],
  insufficient_balance: [409, 'the wallet holds less than this amount'],
  price_changed: [409, 'nothing was bought: the price has changed; check the new price'],
  limit_exceeded: [409, 'nothing was bought: a spending limit of the account has no room for it'],
  purchase_refused: [409],
  not_postpaid: [409, 'a prepaid account without debt has nothing to pay off'],
  payment_too_large: [409],
  topup_closed: [409, 'the top-up is closed and cannot be paid'],
  topup_not_available: [409, 'card payments are off'],
  other_provider: [409],
  not_simulated: [409],
  alternate_off_sale: [409],
  alternate_worse: [409],
  many_off_sale: [409],
  supplier_not_configured: [409],
  supplier_exists: [409],
  supplier_in_environment: [409],
  not_stock: [409],
  item_in_use: [409],
  mail_off: [409, 'SMTP_URL is not set, so no mail is sent'],
  clock_too_far: [409],
  supplier_unavailable: [424],
  provider_failed: [424],

  // What cannot be understood or accepted as it was given
  invalid_input: [400],
  invalid_route: [400],
  invalid_settings: [400],
  invalid_domain: [400, 'write a mail domain like example.com'],
  invalid_issuer: [400, 'write the issuer’s address, which starts with https://'],
  invalid_client: [400, 'write the client’s id and secret'],
  domain_not_found: [404, 'this partner has no such domain'],
  invalid_email: [400, 'this is not an e-mail address we can use'],
  password_too_short: [400],
  password_too_long: [400],
  name_too_long: [400],
  invalid_name: [400],
  invalid_company: [400],
  note_too_long: [400],
  invalid_note: [400],
  invalid_color: [400, 'write the colour as six hex digits: #0b6e4f'],
  invalid_support_url: [400, 'write an address that starts with https:// or mailto:'],
  invalid_answer: [400, 'write an answer first'],
  invalid_refill_url: [400, 'write an address that starts with https://, with {iccid} in its path or its query'],
  invalid_logo: [400],
  logo_too_large: [400],
  invalid_allow_list: [400],
  invalid_permissions: [400],
  invalid_expiry: [400, 'write the last day the key works as 2030-05-31'],
  expiry_in_past: [400, 'the last day the key works must not be in the past'],
  url_too_long: [400, 'the address is too long'],
  url_blocked: [400],
  invalid_amount: [400, 'write an amount above zero with at most two decimals, like 50.00'],
  invalid_markup: [400, 'write a percentage from 0 to 1000 with at most two decimals, like 40'],
  invalid_rate: [400, 'write how much one US dollar is in the currency, with at most six decimals, like 0.92'],
  invalid_currency: [400, 'write a currency as three letters, like EUR'],
  invalid_duration: [400, 'write a duration like 90s, 15m, 3h or 40d'],

  // Filters of lists and of files
  invalid_batch: [400],
  invalid_before: [400],
  invalid_date: [400],
  invalid_destination: [400],
  invalid_endpoint: [400],
  invalid_error: [400],
  invalid_event: [400],
  invalid_from: [400],
  invalid_iccid: [400],
  invalid_key: [400],
  invalid_limit: [400],
  too_many_limits: [400, 'a key and an account have at most 10 limits each'],
  invalid_mode: [400],
  invalid_order: [400],
  invalid_partner: [400],
  invalid_product_id: [400],
  invalid_range: [400, 'the last day must not be before the first'],
  invalid_receiver: [400],
  invalid_reference: [400],
  invalid_request_id: [400],
  invalid_status: [400],
  invalid_supplier: [400],
  invalid_target: [400],
  invalid_time: [400, 'a time is written like 2026-11-15T09:30:00Z'],
  invalid_time_zone: [400, 'there is no time zone with this name'],
  invalid_to: [400],
  invalid_what: [400],
  invalid_who: [400],

  // Only at the command line, where 400 is a wrong value of an option, and the exit code 2
  api_away: [424],
  file_unreadable: [409],
  no_database: [409],
  no_secret: [409],
  wrong_secret: [409],
  not_empty: [409],
  not_a_backup: [409],
  newer_backup: [409],
  older_backup: [409],
  backup_running: [409],
  schema_changed: [409],
} as const satisfies Record<string, readonly [status: number, sentence?: string]>;

export type RefusalCode = keyof typeof table;
type WithSentence = {
  [C in RefusalCode]: (typeof table)[C] extends readonly [number, string] ? C : never;
}[RefusalCode];

/** `field` of every `invalid_field`. */
export type InvalidField = { [C in RefusalCode]: C extends `invalid_${infer F}` ? F : never }[RefusalCode];

/**
 * Two sentences where the terminal and the page use different names for the same thing: an option there, a field or a button here.
 */
export type Sentence = string | { readonly page: string; readonly terminal: string };

/**
 * The one kind of refusal below the API: a stable code and a sentence for the person who asked. The command line prints `message`,
 * the panel and the console show `page`; anything else that is thrown is a bug.
 */
export class Refused<C extends RefusalCode = RefusalCode> extends Error {
  readonly code: C;
  readonly status: number;
  readonly page: string;
  /** The field of a form it is about, where the code does not say so. */
  field: string | undefined;

  constructor(code: C, ...[given]: C extends WithSentence ? [sentence?: Sentence] : [sentence: Sentence]) {
    const [status, own = ''] = table[code] as readonly [number, string?];
    const { page, terminal } = typeof given === 'object' ? given : { page: given ?? own, terminal: given ?? own };
    super(terminal);
    this.code = code;
    this.status = status;
    this.page = page;
  }

  about(field: string | undefined): this {
    this.field = field;
    return this;
  }
}

/** What a server refused to a command that is its client, with the server's own code. */
export class Relayed extends Error {
  readonly code: string;

  constructor(code: string, message = code.replaceAll('_', ' ')) {
    super(message);
    this.code = code;
  }
}

/** Not now: the caller may try again after `retryAfterSeconds`. */
export class TooManyAttempts extends Refused<'too_many_attempts'> {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('too_many_attempts');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
