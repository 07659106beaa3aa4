import { accountCalls, caller, catalogCalls, esimCalls, orderCalls, purchaseCalls, webhookCalls } from './calls.ts';
import { sender, type WayfareSettings } from './send.ts';

/** The API, grouped as its paths are: `wayfare.purchase.buy` sends POST `purchase/buy`. */
export class Wayfare {
  readonly catalog: ReturnType<typeof catalogCalls>;
  readonly purchase: ReturnType<typeof purchaseCalls>;
  readonly order: ReturnType<typeof orderCalls>;
  readonly esim: ReturnType<typeof esimCalls>;
  readonly account: ReturnType<typeof accountCalls>;
  readonly webhook: ReturnType<typeof webhookCalls>;

  constructor(settings: WayfareSettings) {
    const call = caller(sender(settings));
    this.catalog = catalogCalls(call);
    this.purchase = purchaseCalls(call);
    this.order = orderCalls(call);
    this.esim = esimCalls(call);
    this.account = accountCalls(call);
    this.webhook = webhookCalls(call);
  }
}
