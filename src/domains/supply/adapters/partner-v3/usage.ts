import { type Clock, MINUTE } from '../../../../platform/clock.ts';
import {
  countryOf,
  type ProfileReading,
  profileStates,
  type SwitchAnswer,
  type UsageAnswer,
  type UsageReading,
  usageStates,
} from '../../port/port.ts';
import type { Deadline } from '../connection.ts';
import { dateOf, type Json, numberOf, objectOf, textOf } from '../loose.ts';
import { type PartnerClient, troubleOf, troubleText } from './client.ts';

/** A reading there is kept for 90 seconds, and our clocks may differ. An older one was not renewed: their supplier is silent. */
const CURRENT_MS = 10 * MINUTE;

/**
 * How much of an eSIM is used. By the contract that is `order/usage`. Where the service has more, `esim/detail` brings the same
 * figures and the eSIM on the phone, in one call as well.
 */
export async function readUsage(
  { client, clock }: { readonly client: PartnerClient; readonly clock: Clock },
  iccid: string,
  deadline: Deadline,
): Promise<UsageAnswer> {
  const offers = await client.offers(deadline);
  const wayfare = client.within(deadline);
  try {
    if ('failed' in offers || !offers.phones) {
      const usage = objectOf(objectOf(await wayfare.order.usage(iccid)).usage);
      return answerOf(readingIn(usage));
    }
    const found = objectOf(await wayfare.esim.detail(iccid));
    const usage = objectOf(found.usage);
    const fetchedAt = dateOf(usage.fetched_at);
    if (!fetchedAt) return { outcome: 'none' };
    if (fetchedAt.getTime() < clock.now() - CURRENT_MS) return { outcome: 'unavailable', reason: 'an old reading' };
    return answerOf(readingIn(usage), profileIn(objectOf(found.esim).profile));
  } catch (thrown) {
    const trouble = troubleOf(thrown);
    if ('code' in trouble && trouble.status === 404) return { outcome: 'none' };
    return { outcome: 'unavailable', reason: troubleText(trouble) };
  }
}

const answerOf = (reading: UsageReading | undefined, profile?: Partial<ProfileReading>): UsageAnswer =>
  reading
    ? { outcome: 'reading', reading, ...(profile && { profile }) }
    : { outcome: 'unavailable', reason: 'a state we do not know' };

/** Undefined: its state is none we know. */
function readingIn(usage: Json): UsageReading | undefined {
  const state = usageStates.find((one) => one === textOf(usage.status));
  const total = Math.round(numberOf(usage.total_mb) ?? 0);
  return (
    state && {
      state,
      totalMb: usage.is_unlimited === true || total <= 0 ? null : total,
      usedMb: Math.max(0, Math.round(numberOf(usage.used_mb) ?? 0)),
      activatedAt: dateOf(usage.activated_at),
      expiresAt: dateOf(usage.expires_at),
    }
  );
}

/** The eSIM on the phone as a service of this API describes it, in an answer or an event; undefined: it does not. */
export function profileIn(block: unknown): Partial<ProfileReading> | undefined {
  const { state: told, device, country: code, seen_at } = objectOf(block);
  if (textOf(told) === null) return undefined;
  const { brand, model } = objectOf(device);
  const country = countryOf(code);
  return {
    state: profileStates.find((one) => one === told) ?? 'unknown',
    ...(textOf(brand) === null && textOf(model) === null
      ? {}
      : { device: { brand: textOf(brand) ?? '', model: textOf(model) ?? '' } }),
    ...(country !== null && { country, seenAt: dateOf(seen_at) }),
  };
}

/** Their refusals that stay, however often the eSIM is switched. */
const FINAL = ['not_supported', 'esim_not_active', 'esim_not_found', 'unknown_method'];

/** They answer the same however often they are asked, so a lost reply is asked for again. */
export async function setService(
  client: PartnerClient,
  iccid: string,
  wanted: 'suspend' | 'resume',
  deadline: Deadline,
): Promise<SwitchAnswer> {
  const offers = await client.offers(deadline);
  if ('failed' in offers) return { outcome: 'unavailable', reason: offers.failed };
  if (!offers.phones) return { outcome: 'refused', reason: 'they suspend no eSIMs' };
  try {
    const { esim } = objectOf(await client.within(deadline).request('POST', `esim/${wanted}`, { iccid }));
    // An answer about another eSIM belongs to another call, even if it came on our connection.
    const { iccid: named, state } = objectOf(esim);
    const isDone = named === iccid && (state === 'suspended') === (wanted === 'suspend');
    return isDone ? { outcome: 'done' } : { outcome: 'unavailable', reason: 'not our eSIM, or not its new state' };
  } catch (thrown) {
    const trouble = troubleOf(thrown);
    const isFinal = 'code' in trouble && FINAL.includes(trouble.code);
    return { outcome: isFinal ? 'refused' : 'unavailable', reason: troubleText(trouble) };
  }
}
