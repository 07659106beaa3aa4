import { caller } from './call.ts';
import {
  accountCalls,
  catalogCalls,
  esimCalls,
  orderCalls,
  purchaseCalls,
  sandboxCalls,
  webhookCalls,
} from './calls.ts';
import { sender, type WayfareSettings } from './send.ts';

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
  /** Subscriptions and their deliveries. */
  readonly webhook: ReturnType<typeof webhookCalls>;
  /** The sandbox's clock. */
  readonly sandbox: ReturnType<typeof sandboxCalls>;

  constructor(settings: WayfareSettings) {
    const call = caller(sender(settings));
    this.catalog = catalogCalls(call);
    this.purchase = purchaseCalls(call);
    this.order = orderCalls(call);
    this.esim = esimCalls(call);
    this.account = accountCalls(call);
    this.webhook = webhookCalls(call);
    this.sandbox = sandboxCalls(call);
  }
}
