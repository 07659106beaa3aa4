import { proceed, type Shop } from './orders.ts';
import { fetchReceiver } from './sdk.ts';

/** The events that change an order. Those about data and expiry are for shops that write to their customers. */
const EVENTS = ['order.delivered', 'order.failed', 'order.refunded', 'order.refund_rejected'] as const;

/**
 * The secret that webhooks are signed with. The key may have to be allowed to subscribe (`webhooks`), and Wayfare must be able to
 * reach this shop. Without webhooks the shop works, too: the sweep notices everything, only later.
 */
export async function subscribe({ store, wayfare }: Shop, url: string): Promise<string | undefined> {
  const name = `webhook secret of ${url}`;
  const kept = store.kept(name);
  try {
    const { subscriptions } = await wayfare.webhook.list();
    const ours = subscriptions.filter((one) => one.url === url);
    if (ours.length > 0 && kept !== undefined) return kept;
    // The shop was killed before it stored the secret, so this subscription can no longer be verified.
    for (const { id } of ours) await wayfare.webhook.delete({ id: Number(id) });
    const { secret } = await wayfare.webhook.create({ url, events: EVENTS });
    store.keep(name, secret);
    return secret;
  } catch (error) {
    console.warn(
      `Webhooks could not be set up, so later deliveries take half a minute longer: ${(error as Error).message}`,
    );
    return kept;
  }
}

/**
 * An event only says which order to read; its state comes from the API. So it does not matter whether events come twice or in another
 * order, and a receiver that was down loses nothing. Requests without a valid signature are answered with 401.
 */
export const receiver = (shop: Shop, secret: string) =>
  fetchReceiver({
    secret,
    async onEvent(event) {
      if (!('order_id' in event && 'reference' in event)) return;
      const order = shop.store.order(event.reference);
      // Bought elsewhere with the same account, or known already.
      if (!order || event.event === `order.${order.status}`) return;
      await proceed(shop, order.id, true);
    },
  });
