import { caller, request } from './call.ts';
import {
  accountCalls,
  catalogCalls,
  esimCalls,
  invoiceCalls,
  orderCalls,
  purchaseCalls,
  sandboxCalls,
  webhookCalls,
} from './calls.ts';
import type { Calling } from './reply.ts';
import { type CallOptions, type Send, sender, type WayfareSettings } from './send.ts';

/** Words between slashes. Dots alone would lead out of the API's address. */
const PATH = /^\w+(\/(?!\.+(\/|$))[\w.~%-]+)*$/;

/** The API, grouped as its paths are: `wayfare.purchase.buy` sends POST `purchase/buy`. */
export class Wayfare {
  /** What is sold, and for how much. */
  readonly catalog: ReturnType<typeof catalogCalls>;
  /** Buying and refilling. */
  readonly purchase: ReturnType<typeof purchaseCalls>;
  /** What was bought, its usage, and refunds. */
  readonly order: ReturnType<typeof orderCalls>;
  /** The eSIMs you sold. */
  readonly esim: ReturnType<typeof esimCalls>;
  /** Money, prices and the sandbox's balance. */
  readonly account: ReturnType<typeof accountCalls>;
  /** Invoices and credit notes. */
  readonly invoice: ReturnType<typeof invoiceCalls>;
  /** Subscriptions and their deliveries. */
  readonly webhook: ReturnType<typeof webhookCalls>;
  /** The sandbox's clock, and the phones of its eSIMs. */
  readonly sandbox: ReturnType<typeof sandboxCalls>;
  readonly #send: Send;

  constructor(settings: WayfareSettings) {
    this.#send = sender(settings);
    const call = caller(this.#send);
    this.catalog = catalogCalls(call);
    this.purchase = purchaseCalls(call);
    this.order = orderCalls(call);
    this.esim = esimCalls(call);
    this.account = accountCalls(call);
    this.invoice = invoiceCalls(call);
    this.webhook = webhookCalls(call);
    this.sandbox = sandboxCalls(call);
  }

  /**
   * Sends any call, for what is newer than this SDK: `wayfare.request('GET', 'order/detail/1001', { lang: 'de' })`. Retries, errors,
   * hooks and warnings are those of the methods. A POST that this SDK does not know is repeated only if it has an
   * `idempotency_key`; one below `purchase/` gets a key if you give none.
   */
  request<Body = Record<string, unknown>>(
    verb: 'GET' | 'POST',
    path: string,
    fields: object = {},
    options?: CallOptions,
  ): Calling<Body> {
    const below = path.replace(/^\//, '');
    if (!PATH.test(below))
      throw new TypeError(`"${path}" is not a path like order/detail/1001, with the rest in fields`);
    return request(this.#send, verb, below, fields, options) as Calling<Body>;
  }
}
