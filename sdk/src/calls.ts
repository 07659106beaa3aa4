import type { Call } from './call.ts';
import type { Fields, Operation, Schemas } from './contract.ts';
import { below, newestFirst, onward, type Paging } from './pages.ts';
import type { Calling } from './reply.ts';
import type { CallOptions } from './send.ts';

export const catalogCalls = (call: Call) => ({
  /** Every destination, one row per country or region. */
  countries: (fields: Fields<'catalog_countries'> = {}, options?: CallOptions) =>
    call('catalog_countries', fields, options),
  /** Plans of one destination. */
  products: (fields: Fields<'catalog_products'>, options?: CallOptions) => call('catalog_products', fields, options),
  /** Plans of one destination, however many there are. */
  allProducts: (fields: Fields<'catalog_products'>, options?: CallOptions): Paging<Schemas['Product']> =>
    onward(fields.offset ?? 0, async (offset) => {
      const { products: rows, truncated } = await call('catalog_products', { ...fields, offset }, options);
      return { rows, has_more: truncated };
    }),
  /** One plan by its id. */
  product: (id: string, fields: Fields<'catalog_product'> = {}, options?: CallOptions) =>
    call('catalog_product', fields, options, id),
  /** Every plan on sale, with your prices. */
  export: (fields: Fields<'catalog_export'> = {}, options?: CallOptions) => call('catalog_export', fields, options),
  /** What changed since a version of the catalog. */
  changes: (fields: Fields<'catalog_changes'>, options?: CallOptions) => call('catalog_changes', fields, options),
  /** Phones and tablets that take an eSIM. */
  devices: (fields: Fields<'catalog_devices'> = {}, options?: CallOptions) => call('catalog_devices', fields, options),
});

type BatchFields = Omit<Fields<'purchase_batch'>, 'idempotency_key'> & { idempotency_key?: string };

export const purchaseCalls = (call: Call) => ({
  /**
   * Buys an eSIM. Without an `idempotency_key` it gets a new one, which protects this call's own attempts. Give your own to be
   * protected when your program sends the purchase again, too. Send the price you showed as `max_price`: if it has risen since,
   * nothing is bought, and `price_changed` says what it costs now.
   */
  buy: (fields: Fields<'purchase_buy'>, options?: CallOptions) => call('purchase_buy', fields, options),
  /** What a purchase or a refill would cost now, and whether it would go through. */
  quote: (fields: Fields<'purchase_quote'>, options?: CallOptions) => call('purchase_quote', fields, options),
  /** Adds data or days to an eSIM you sold. Keys work as with `buy`. */
  refill: (fields: Fields<'purchase_refill'>, options?: CallOptions) => call('purchase_refill', fields, options),
  /**
   * Buys up to 100 eSIMs with one charge: all of them or none. Each is an order of its own. Keys work as with `buy`, and `max_total`
   * as its `max_price`.
   */
  batch: (fields: BatchFields, options?: CallOptions) =>
    // The API requires a key; `call` makes one where there is none.
    call('purchase_batch', fields as Fields<'purchase_batch'>, options),
  /** A batch as it stands now. */
  getBatch: (id: number | string, fields: Fields<'purchase_batchById'> = {}, options?: CallOptions) =>
    call('purchase_batchById', fields, options, id),
});

export const orderCalls = (call: Call) => ({
  /** One page of orders, newest first. */
  get: (fields: Fields<'order_get'> = {}, options?: CallOptions) => call('order_get', fields, options),
  /** All orders that match, newest first, fetched page by page. */
  all: (fields: Omit<Fields<'order_get'>, 'start'> = {}, options?: CallOptions): Paging<Schemas['Order']> =>
    below(
      async (last) => {
        const { order: rows, has_more } = await call('order_get', { limit: 100, ...fields, ...last }, options);
        return { rows, has_more };
      },
      ({ id }) => Number(id),
    ),
  /** One order with its activation data, which is a secret: the first phone to install it gets the line. */
  detail: (id: number | string, fields: Fields<'order_detail'> = {}, options?: CallOptions) =>
    call('order_detail', fields, options, id),
  /** How much data an eSIM has used. */
  usage: (iccid: string, fields: Fields<'order_usage'> = {}, options?: CallOptions) =>
    call('order_usage', fields, options, iccid),
  /** Hands an unused eSIM back, or asks the operator about a used one. Asking again changes nothing. */
  refund: (fields: Fields<'order_refund'>, options?: CallOptions) => call('order_refund', fields, options),
  /** Stops an order that is not delivered yet, if that is still possible. Asking again changes nothing. */
  cancel: (fields: Fields<'order_cancel'>, options?: CallOptions) => call('order_cancel', fields, options),
});

export const esimCalls = (call: Call) => ({
  /** One page of your eSIMs, newest first. */
  list: (fields: Fields<'esim_list'> = {}, options?: CallOptions) => call('esim_list', fields, options),
  /** All eSIMs that match, newest first, fetched page by page. */
  all: (fields: Fields<'esim_list'> = {}, options?: CallOptions): Paging<Schemas['Esim']> =>
    below(
      async (last) => {
        const { esims: rows, has_more } = await call('esim_list', { limit: 100, ...fields, ...last }, options);
        return { rows, has_more };
      },
      ({ order_id }) => order_id,
    ),
  /** One eSIM with its activation data, usage, orders, links and steps to install it; `lang` is the language of the steps. */
  detail: (iccid: string, fields: Fields<'esim_detail'> = {}, options?: CallOptions) =>
    call('esim_detail', fields, options, iccid),
  /** What can be added to an eSIM. */
  refills: (iccid: string, fields: Fields<'esim_refills'> = {}, options?: CallOptions) =>
    call('esim_refills', fields, options, iccid),
  /** A new eSIM of the same plan in its place, free of charge. The same key answers how the replacement stands. */
  replace: (fields: Fields<'esim_replace'>, options?: CallOptions) => call('esim_replace', fields, options),
  /** Has it refill itself when its data runs low; `off: '1'` ends that. */
  autorefill: (fields: Fields<'esim_autorefill'>, options?: CallOptions) => call('esim_autorefill', fields, options),
  /** Switches its service off. Data and days run on. Asking again changes nothing. */
  suspend: (fields: Fields<'esim_suspend'>, options?: CallOptions) => call('esim_suspend', fields, options),
  /** Switches its service on again. Asking again changes nothing. */
  resume: (fields: Fields<'esim_resume'>, options?: CallOptions) => call('esim_resume', fields, options),
});

type Paged<Op extends Operation> = Omit<Fields<Op>, 'start'>;
const PAGE = 500;

export const accountCalls = (call: Call) => ({
  /** What you can spend. On invoice terms, read the statement instead. */
  balance: (fields: Fields<'account_balance'> = {}, options?: CallOptions) => call('account_balance', fields, options),
  /** What this key may spend, and what it has spent. */
  limits: (fields: Fields<'account_limits'> = {}, options?: CallOptions) => call('account_limits', fields, options),
  /** One page of wallet movements, newest first. */
  history: (fields: Fields<'account_history'> = {}, options?: CallOptions) => call('account_history', fields, options),
  /** All wallet movements that match, newest first. */
  allHistory: (fields: Paged<'account_history'> = {}, options?: CallOptions): Paging<Schemas['Movement']> =>
    below(
      async (last) => {
        const { ledger: rows, has_more } = await call('account_history', { limit: PAGE, ...fields, ...last }, options);
        return { rows, has_more };
      },
      ({ id }) => id,
    ),
  /** Invoice terms: limit, debt, and one page of its ledger. */
  statement: (fields: Fields<'account_statement'> = {}, options?: CallOptions) =>
    call('account_statement', fields, options),
  /** All lines of the statement that match, newest first. */
  allStatement: (fields: Paged<'account_statement'> = {}, options?: CallOptions): Paging<Schemas['StatementLine']> =>
    below(
      async (last) => {
        const { ledger: rows, has_more } = await call(
          'account_statement',
          { limit: PAGE, ...fields, ...last },
          options,
        );
        return { rows, has_more };
      },
      ({ id }) => id,
    ),
  /** Revenue share on unused data: totals, and one page of shares. */
  profitshare: (fields: Fields<'account_profitshare'> = {}, options?: CallOptions) =>
    call('account_profitshare', fields, options),
  /** All shares that match, newest first. */
  allProfitshare: (fields: Paged<'account_profitshare'> = {}, options?: CallOptions): Paging<Schemas['RevenueShare']> =>
    newestFirst(
      fields.limit ?? PAGE,
      async (start) => (await call('account_profitshare', { limit: PAGE, ...fields, start }, options)).items,
    ),
  /** Your share of the margin, and how it comes about. */
  pricing: (fields: Fields<'account_pricing'> = {}, options?: CallOptions) => call('account_pricing', fields, options),
  /** Starts a card payment into the wallet. Never repeated by itself: each call opens a payment. */
  topup: (fields: Fields<'account_topup'>, options?: CallOptions) => call('account_topup', fields, options),
  /** Credits a card payment; twice does no harm. */
  topupConfirm: (fields: Fields<'account_topupConfirm'>, options?: CallOptions) =>
    call('account_topupConfirm', fields, options),
  /** Sandbox keys only: changes the play money. */
  sandboxBalance: (fields: Fields<'account_sandboxBalance'>, options?: CallOptions) =>
    call('account_sandboxBalance', fields, options),
  /** Sandbox keys only: deletes the sandbox orders and starts over. */
  sandboxReset: (fields: Fields<'account_sandboxReset'> = {}, options?: CallOptions) =>
    call('account_sandboxReset', fields, options),
});

export const invoiceCalls = (call: Call) => ({
  /** One page of invoices and credit notes, newest first. */
  list: (fields: Fields<'invoice_list'> = {}, options?: CallOptions) => call('invoice_list', fields, options),
  /** All that match, newest first, fetched page by page. */
  all: (fields: Fields<'invoice_list'> = {}, options?: CallOptions): Paging<Schemas['Invoice']> =>
    below(
      async (last) => {
        const { invoices: rows, has_more } = await call('invoice_list', { limit: 100, ...fields, ...last }, options);
        return { rows, has_more };
      },
      ({ id }) => id,
    ),
  /** One document with its lines. */
  detail: (number: string, fields: Fields<'invoice_detail'> = {}, options?: CallOptions) =>
    call('invoice_detail', fields, options, number),
  /** The bytes of its PDF. */
  pdf: (number: string, fields: Fields<'invoice_pdf'> = {}, options?: CallOptions) =>
    call('invoice_pdf', fields, options, number),
  /** The bytes of its XML (UBL 2.1, EN 16931). */
  xml: (number: string, fields: Fields<'invoice_xml'> = {}, options?: CallOptions) =>
    call('invoice_xml', fields, options, number),
});

type Envelope = Schemas['Envelope'];

export const webhookCalls = (call: Call) => ({
  /** Your subscriptions in the key's mode. */
  list: (fields: Fields<'webhook_list'> = {}, options?: CallOptions) => call('webhook_list', fields, options),
  /** The latest deliveries. */
  deliveries: (fields: Omit<Fields<'webhook_deliveries'>, 'id'> = {}, options?: CallOptions) =>
    call('webhook_deliveries', fields, options) as Calling<Envelope & Schemas['DeliveryList']>,
  /** One delivery with the exact body that was signed. */
  delivery: (id: number | string, fields: Omit<Fields<'webhook_deliveries'>, 'id'> = {}, options?: CallOptions) =>
    call('webhook_deliveries', { ...fields, id: Number(id) }, options) as Calling<Envelope & Schemas['DeliveryDetail']>,
  /** Queues a signed test event. */
  test: (fields: Fields<'webhook_test'> = {}, options?: CallOptions) => call('webhook_test', fields, options),
  /** Sends one signed request to an address and returns the whole exchange. */
  probe: (fields: Fields<'webhook_probe'>, options?: CallOptions) => call('webhook_probe', fields, options),
  /** Subscribes an address. Its signing secret is in this answer only. For this and what follows, the key needs `webhooks`. */
  create: (fields: Fields<'webhook_create'>, options?: CallOptions) => call('webhook_create', fields, options),
  /** Changes the address or the events of a subscription; what is left out stays. */
  update: (fields: Fields<'webhook_update'>, options?: CallOptions) => call('webhook_update', fields, options),
  /** Holds its events until it is resumed. */
  pause: (fields: Fields<'webhook_pause'>, options?: CallOptions) => call('webhook_pause', fields, options),
  /** Makes a paused or disabled subscription active again; held events follow. */
  resume: (fields: Fields<'webhook_resume'>, options?: CallOptions) => call('webhook_resume', fields, options),
  /** Makes a new signing secret, which is in this answer only; with `finish`, ends the old one. */
  rotate: (fields: Fields<'webhook_rotate'>, options?: CallOptions) => call('webhook_rotate', fields, options),
  /** Deletes a subscription and what still waits for it. */
  delete: (fields: Fields<'webhook_delete'>, options?: CallOptions) => call('webhook_delete', fields, options),
});

export const sandboxCalls = (call: Call) => ({
  /** Sandbox keys only: moves the account's clock ahead by `advance` seconds, or back to real time with `reset`. */
  clock: (fields: Fields<'sandbox_clock'>, options?: CallOptions) => call('sandbox_clock', fields, options),
  /** Plays the phone of an eSIM: the state of its profile, the country, the device. */
  profile: (fields: Fields<'sandbox_profile'>, options?: CallOptions) => call('sandbox_profile', fields, options),
  /** Rehearses what happens to an invoice later: it is voided, or becomes overdue. */
  invoice: (fields: Fields<'sandbox_invoice'>, options?: CallOptions) => call('sandbox_invoice', fields, options),
});
