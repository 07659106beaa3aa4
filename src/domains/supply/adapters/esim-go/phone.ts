import { countryOf, type ProfileReading, type ProfileState, type SwitchAnswer } from '../../port/port.ts';
import type { Deadline } from '../connection.ts';
import { type Json, objectOf, parseObject, textOf } from '../loose.ts';
import { type EsimGoClient, noAnswer } from './client.ts';
import type { SentOrders } from './sent-orders.ts';

/*
 * The eSIM on the phone, and switching it off and on again.
 *
 * From their documents: the states of a profile and of an eSIM, the country in the notification `CountryChange`, and the device's
 * `make` and `model` in the notification of a changed profile. Assumed: that notification has `profileStatus` and `device` at its
 * top level; countries are two-letter codes (others are dropped); an eSIM that registers in a country is switched on; and
 * suspending one that is suspended may be refused.
 */

const states: Readonly<Record<string, ProfileState>> = { downloaded: 'downloaded', installed: 'installed' };

/** `released`: what that status means here, because they use it for new profiles and for removed ones. */
function stateOf(profileStatus: unknown, released: ProfileState): ProfileState | undefined {
  const status = textOf(profileStatus)?.toLowerCase();
  if (status === undefined) return undefined;
  if (status === 'released') return released;
  return Object.hasOwn(states, status) ? states[status] : 'unknown';
}

/** From the eSIM's details. One that was removed from a phone is released again, and keeps the time of its first installation. */
function profileIn({ profileStatus, firstInstalledDateTime }: Json): Partial<ProfileReading> | undefined {
  const wasInstalled = (textOf(firstInstalledDateTime) ?? '0') !== '0';
  const state = stateOf(profileStatus, wasInstalled ? 'deleted' : 'released');
  return state && { state };
}

/** From a notification; undefined: it says nothing about the phone. */
export function profileInNotice(notice: Json, now: Date): Partial<ProfileReading> | undefined {
  const alert = textOf(notice.alertType);
  if (alert === 'FirstAttachment') return { state: 'enabled' };
  if (alert === 'CountryChange') {
    const country = countryOf(objectOf(notice.country).code ?? notice.country);
    return { state: 'enabled', ...(country !== null && { country, seenAt: now }) };
  }
  // They notify of changes only, so one that is released was removed.
  const state = stateOf(notice.profileStatus, 'deleted');
  const { make, model } = objectOf(notice.device);
  const [brand, name] = [textOf(make) ?? '', textOf(model) ?? ''];
  return state && { state, ...(brand + name !== '' && { device: { brand, model: name } }) };
}

const pathOf = (iccid: string): string => `/esims/${encodeURIComponent(iccid)}`;

/** What the details say about the phone; undefined: nothing, or there was no answer. */
export async function readOnPhone(
  client: EsimGoClient,
  iccid: string,
  deadline: Deadline,
): Promise<Partial<ProfileReading> | undefined> {
  const called = await client.get(pathOf(iccid), deadline);
  return 'status' in called && called.status === 200 ? profileIn(parseObject(called.text)) : undefined;
}

/** Statuses that refuse the change; an eSIM that is not ours gets them, too. */
const REFUSED = [400, 403, 404, 410];

/** Sets a state, so after a lost reply the call is simply made again. A refusal counts as done when the eSIM is in that state. */
export async function setSuspended(
  { client, sent }: { readonly client: EsimGoClient; readonly sent: SentOrders },
  iccid: string,
  suspend: boolean,
  deadline: Deadline,
): Promise<SwitchAnswer> {
  const called = await client.post(`${pathOf(iccid)}/suspend`, { suspend }, deadline);
  const { reason } = noAnswer(called);
  if (!('status' in called)) return { outcome: 'unavailable', reason };
  const isDone = (called.status === 200 || called.status === 201) && textOf(parseObject(called.text).status) !== null;
  if (isDone) return { outcome: 'done' };
  if (!REFUSED.includes(called.status)) return { outcome: 'unavailable', reason };
  const details = await client.get(pathOf(iccid), deadline);
  if ('status' in details && details.status === 200) {
    const state = textOf(parseObject(details.text).state)?.toLowerCase();
    return state === (suspend ? 'suspended' : 'active') ? { outcome: 'done' } : { outcome: 'refused', reason };
  }
  // About an eSIM of ours this says nothing: the key may be refused.
  const isUnknown = 'status' in details && REFUSED.includes(details.status) && !(await sent.isOurs(iccid));
  return isUnknown ? { outcome: 'refused', reason: 'no such eSIM' } : { outcome: 'unavailable', reason };
}
