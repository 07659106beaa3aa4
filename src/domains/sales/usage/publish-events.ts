import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { EsimEvent, EsimEventName } from '../../messages/events/events.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import type { SoldEsim } from '../esims/esims.ts';
import type { Usage } from './figures.ts';
import { eventsOfReading } from './reading-events.ts';

/**
 * Publishes the events this reading newly triggers, in the caller's transaction, which holds the reading's row: so two readings of
 * one eSIM are handled one after the other. False: the account has no room for more waiting deliveries, so nothing was published;
 * the next reading tries again.
 *
 * Events without a subscriber are recorded as published, too. A later subscription gets only what happens from then on.
 */
export async function publishNewEvents(
  tx: Tx,
  webhooks: Pick<Webhooks, 'publish'>,
  sold: SoldEsim,
  usage: Usage,
  now: number,
): Promise<boolean> {
  const shown = eventsOfReading(sold, usage, now);
  if (shown.length === 0) return true;
  const { orderId, partnerId, iccid, reference } = sold;
  const fresh = await tx.query<{ event: EsimEventName; occasion: string; n: number }>(sql`
    insert into esim_events (order_id, event, occasion, iccid, n, published_at)
    select ${orderId}, shown.event, shown.occasion, ${iccid},
      1 + (select count(*) from esim_events earlier where earlier.iccid = ${iccid} and earlier.event = shown.event),
      ${new Date(now)}
    from unnest(${shown.map(({ event }) => event)}::text[], ${shown.map(({ occasion }) => occasion)}::text[])
      with ordinality as shown (event, occasion, place)
    order by place
    on conflict (order_id, event, occasion) do nothing
    returning event, occasion, n`);
  if (fresh.length === 0) return true;
  const plan = await tx.maybe<{ text: string }>(sql`
    select fair_use_text as text from shared.plans where alias = ${sold.productId}`);
  const shownUsage = { ...usage, fairUseText: plan?.text ?? '' };
  const { refusedOrders } = await webhooks.publish(
    tx,
    fresh.map(({ event, n }): EsimEvent => {
      return { partnerId, orderId, reference, iccid, event, n, usage: shownUsage, occurredAt: now };
    }),
  );
  if (refusedOrders.size === 0) return true;
  await tx.run(sql`
    delete from esim_events using unnest(
      ${fresh.map(({ event }) => event)}::text[], ${fresh.map(({ occasion }) => occasion)}::text[]) as refused (event, occasion)
    where order_id = ${orderId} and esim_events.event = refused.event and esim_events.occasion = refused.occasion`);
  return false;
}

export async function forgetEsimEvents(tx: Tx, partnerId: number): Promise<void> {
  await tx.run(sql`
    delete from esim_events using orders where esim_events.order_id = orders.id and partner_id = ${partnerId}`);
}
