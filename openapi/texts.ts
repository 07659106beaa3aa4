/** What the description says in prose. */
export const about = `Resell travel eSIMs: read the catalog, buy with one POST, follow orders and data usage, and keep a wallet.

**Keys.** Every request carries a key in the header \`X-API-Key\`. A key that begins with \`esk_test_\` works in the sandbox: no money moves, the eSIM is fake, and every answer has \`livemode: false\`. Endpoints and fields are the same in both. A key in a URL or a body is refused.

**Permissions.** A key can be restricted when it is made, to any of \`read\`, \`buy\`, \`money\` and \`webhooks\`; each endpoint says which it needs. A call outside them is refused with 403 \`key_not_permitted\`. A key that is not restricted may do everything except change webhooks.

**Requests.** GET takes query parameters, POST a form (\`application/x-www-form-urlencoded\`). An empty optional field counts as not sent.

**Answers** are JSON with an envelope: \`result\`, \`code\` (the HTTP status as text), \`title\` and \`api_version\`. A failure has \`error\`, a code that never changes: decide by it, never by \`title\`; \`message\` tells developers what to do. Fields that an endpoint does not know are not refused: \`ignored\` names them, in good answers and in failures. New fields can appear at any time; ignore those you do not know. Times are \`YYYY-MM-DD HH:MM:SS\` in UTC, money is in USD, data in MB (1024 MB are 1 GB).

**When to retry.** 429 after \`Retry-After\`. 500 once, with the same \`idempotency_key\`. 503 after \`Retry-After\`. 409 \`charge_in_progress\` with the same key. Nothing else.`;

export const tags: Readonly<Record<string, string>> = {
  catalog: 'Destinations and the plans sold for each, with your prices.',
  purchase: 'Buying an eSIM.',
  order: 'Your orders, their activation data, and the data usage of their eSIMs.',
  account: 'Wallet, statement, revenue share, prices and top-ups by card; and the tools of the sandbox.',
  webhook:
    'Subscriptions, the delivery log, and ways to test a receiver. Subscriptions are made in the panel, or with a key that may change them.',
  extensions: 'What this service has on top of v3. A client written against v3 alone does not notice it.',
  events: 'What is sent to your webhook subscriptions, signed.',
};

/** What is different with a sandbox key, by path. */
export const inSandbox: Readonly<Record<string, string>> = {
  '/purchase/buy':
    'creates a sandbox order and takes its price off the sandbox balance. `sandbox_scenario` and `sandbox_usage` decide how it goes on.',
  '/purchase/refill': 'adds data and days to a sandbox eSIM. `sandbox_scenario` decides how it goes on.',
  '/purchase/batch':
    'creates sandbox orders and takes their price off the sandbox balance. `sandbox_scenario` decides how all of them go on.',
  '/purchase/batch/{id}': 'knows sandbox batches only, and delivers orders whose 60 seconds have passed.',
  '/order/get': 'lists sandbox orders only, and first delivers those whose 60 seconds have passed.',
  '/order/detail': 'knows sandbox orders only, and delivers one whose 60 seconds have passed.',
  '/order/usage': 'knows delivered sandbox eSIMs only (`89000…`); the figures follow `sandbox_usage`.',
  '/esim/list': 'shows figures that follow `sandbox_usage`, refills and the test clock.',
  '/esim/replace':
    'delivers the new eSIM as it delivered the old one: at once or, if that was bought with `sandbox_scenario` `deferred`, by the first read after 60 seconds. The sandbox has a budget of its own.',
  '/esim/autorefill':
    'goes by the figures of `sandbox_usage`: an eSIM that was bought as `depleted` is past every mark. Its refills are delivered as it was: at once or, if it was `deferred`, by the first read after 60 seconds.',
  '/order/refund': 'refunds an eSIM that is `not_active` at once.',
  '/order/cancel': 'cancels a deferred order at once.',
  '/invoice/list': 'lists the invoices of months that the test clock has passed; their numbers start with `SANDBOX-`.',
  '/sandbox/invoice': 'works; a live key gets `sandbox_only_action`.',
  '/account/balance': 'shows the sandbox balance, which starts at 1000.00.',
  '/account/history':
    'answers with an empty ledger and the sandbox balance. `sandbox_ledger=1` shows the movements of the play money.',
  '/account/statement':
    'answers as a prepaid account with zeros. `sandbox_ledger=1` shows the movements of the play money.',
  '/account/profitshare': 'answers with `profit_share_enabled: 0` and no items.',
  '/account/topup': 'opens a simulated payment; nothing is left to pay.',
  '/account/topupConfirm': 'adds the amount to the sandbox balance once.',
  '/account/sandboxBalance': 'works; a live key gets `sandbox_only_action`.',
  '/account/sandboxReset': 'works; a live key gets `sandbox_only_action`.',
  '/sandbox/clock': 'works; a live key gets `sandbox_only_action`.',
  '/webhook/test': 'goes to sandbox subscriptions only; at most 500 deliveries can wait.',
};
