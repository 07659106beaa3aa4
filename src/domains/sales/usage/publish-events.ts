import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { EsimEventName, NewEvent } from '../../messages/events/events.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import type { ProfileState } from '../../supply/port/port.ts';
import {
  coveredBy,
  type EsimProfile,
  keepProfile,
  type ProfileNews,
  profileOf,
  type SoldEsim,
} from '../esims/esims.ts';
import type { Usage } from './figures.ts';
import { eventsOfProfile, eventsOfReading, type Occasion } from './next-reading.ts';

type Sender = Pick<Webhooks, 'publish'>;
/** The eSIM an event is about. */
type Subject = Pick<SoldEsim, 'orderId' | 'partnerId' | 'iccid' | 'reference' | 'productId'>;
/** What every event of an eSIM says. */
type About<Name> = Omit<Subject, 'productId'> & {
  readonly event: Name;
  readonly n: number;
  readonly occurredAt: number;
};

/**
 * Publishes those of these events that were not published before on the same occasion, in the caller's transaction, which holds a row
 * of the eSIM: so two changes of one eSIM are handled one after the other. False: the account has no room for more waiting
 * deliveries, so nothing was published, and the events can be published later.
 *
 * Events without a subscriber are recorded as published, too. A later subscription gets only what happens from then on.
 */
export async function publishOnce<Name extends EsimEventName>(
  tx: Tx,
  webhooks: Sender,
  { orderId, partnerId, iccid, reference }: Subject,
  shown: readonly Occasion<Name>[],
  now: number,
  complete: (about: readonly About<Name>[]) => readonly NewEvent[] | Promise<readonly NewEvent[]>,
): Promise<boolean> {
  if (shown.length === 0) return true;
  const fresh = await tx.query<{ event: Name; occasion: string; n: number }>(sql`
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
  const about = fresh.map(({ event, n }) => ({ partnerId, orderId, reference, iccid, event, n, occurredAt: now }));
  const { refusedOrders } = await webhooks.publish(tx, await complete(about));
  if (refusedOrders.size === 0) return true;
  await tx.run(sql`
    delete from esim_events using unnest(
      ${fresh.map(({ event }) => event)}::text[], ${fresh.map(({ occasion }) => occasion)}::text[]) as refused (event, occasion)
    where order_id = ${orderId} and esim_events.event = refused.event and esim_events.occasion = refused.occasion`);
  return false;
}

/** Publishes the events this reading newly triggers. If there is no room for them, the next reading tries again. */
export const publishNewEvents = (
  tx: Tx,
  webhooks: Sender,
  sold: SoldEsim,
  usage: Usage,
  now: number,
): Promise<boolean> =>
  publishOnce(tx, webhooks, sold, eventsOfReading(sold, usage, now), now, async (about) => {
    const plan = await tx.maybe<{ text: string }>(sql`
      select fair_use_text as text from shared.plans where alias = ${sold.productId}`);
    const shown = { ...usage, fairUseText: plan?.text ?? '' };
    return about.map((event) => ({ ...event, usage: shown }));
  });

/** The part of a world that news of profiles need. */
export interface PhoneWorld {
  readonly webhooks: Sender;
  /** The state of a profile of which nothing was reported yet. */
  readonly newProfile: ProfileState;
}

/** Keeps news of a profile and publishes the events they newly trigger. */
export async function noteProfileNews(
  tx: Tx,
  { webhooks, newProfile }: PhoneWorld,
  esim: Subject,
  news: ProfileNews,
  now: number,
): Promise<void> {
  const kept = await keepProfile(tx, esim, news, new Date(now));
  if (kept) await publishPhoneEvents(tx, webhooks, esim, profileOf(kept, newProfile), eventsOfProfile(kept), now);
}

/** Publishes events about the eSIM on the phone. */
export const publishPhoneEvents = (
  tx: Tx,
  webhooks: Sender,
  esim: Subject,
  profile: EsimProfile,
  shown: ReturnType<typeof eventsOfProfile>,
  now: number,
): Promise<boolean> =>
  publishOnce(tx, webhooks, esim, shown, now, async (about) => {
    const plan = await tx.maybe<{ codes: string[] }>(sql`
      select coverage as codes from shared.plans where alias = ${esim.productId}`);
    const covered = coveredBy(plan && { coverage: plan }, profile.country);
    return about.map((event) => ({ ...event, profile: { ...profile, covered } }));
  });

/** An event of an eSIM that was published, whether or not a subscription received it. */
interface PublishedEvent {
  readonly event: EsimEventName;
  readonly at: Date;
  /** Where it was seen, for a change of country. */
  readonly country: string | null;
  /** Whether the plan covers that country; null: not known. */
  readonly covered: boolean | null;
}

/** In which order those of one moment happened. */
const sequence: readonly EsimEventName[] = [
  'esim.installed',
  'esim.country_changed',
  'esim.activated',
  'esim.usage_high',
];
const placeOf = ({ event }: PublishedEvent): number => sequence.indexOf(event) + 1 || sequence.length + 1;

/** Events of the eSIM that an order delivered, oldest first. */
export async function publishedEvents(db: Queryable, orderId: bigint): Promise<PublishedEvent[]> {
  const rows = await db.query<PublishedEvent>(sql`
    select event, published_at as at, seen.country, seen.country = any(plans.coverage) as covered
    from esim_events join orders on orders.id = order_id left join shared.plans on plans.id = orders.plan_id,
      lateral (select case when event = 'esim.country_changed' then split_part(occasion, ' ', 2) end as country) as seen
    where order_id = ${orderId} order by published_at, event, n`);
  return rows.toSorted((a, b) => a.at.getTime() - b.at.getTime() || placeOf(a) - placeOf(b));
}

export async function forgetEsimEvents(tx: Tx, partnerId: number): Promise<void> {
  await tx.run(sql`
    delete from esim_events using orders where esim_events.order_id = orders.id and partner_id = ${partnerId}`);
}
