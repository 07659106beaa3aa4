import type { Micros } from '../../../../platform/amounts/cents.ts';
import {
  type Esim,
  type EsimReference,
  esimOf,
  type ProfileReading,
  type ProfileState,
  type RefilledEsim,
  type SwitchAnswer,
} from '../../port/port.ts';
import type { Deadline } from '../connection.ts';
import { type Json, listOf, numberOf, objectOf, textOf } from '../loose.ts';
import { type EsimAccessClient, listIn, microsOfUnits, whyNot } from './client.ts';

/** The result of a query for profiles. */
export type Profiles =
  | { readonly list: readonly Json[]; readonly total: number }
  /** eSIM Access refused, with this code. */
  | { readonly code: string }
  | { readonly reason: string; readonly silent?: true };

/** Which profiles: those of one order, one ICCID, or a period. */
type Which =
  | { readonly orderNo: string }
  | { readonly iccid: string }
  | { readonly startTime: string; readonly endTime: string };

export const MAX_PAGE = 500;
const SMALL_PAGE = 5;
const MAX_BYTES = 8 * 1024 * 1024;

/** The order is accepted but has no profile yet. */
export const NOT_READY = '200010';
export const UNKNOWN_ORDER = '310272';
/** No such order, or no such ICCID in it. */
const UNKNOWN = [UNKNOWN_ORDER, '310403'];

export async function queryProfiles(
  client: EsimAccessClient,
  which: Which,
  deadline: Deadline,
  { pageNum = 1, pageSize = SMALL_PAGE } = {},
): Promise<Profiles> {
  const payload = { ...which, pager: { pageNum, pageSize } };
  const answer = await client.post('/esim/query', payload, deadline, { maxBytes: MAX_BYTES });
  if (answer.said === 'no') return { code: answer.code };
  if (answer.said !== 'yes') return whyNot(answer);
  const list = listOf(listIn(answer.obj, 'esimList'));
  if (!list) return { reason: 'no list of profiles' };
  return { list, total: numberOf(objectOf(objectOf(answer.obj).pager).total) ?? list.length };
}

/** The profile of one eSIM, looked up by order number, because ICCIDs are reused. `undefined`: eSIM Access does not know it. */
export async function profileOf(
  client: EsimAccessClient,
  { iccid, supplierOrder }: RefilledEsim,
  deadline: Deadline,
): Promise<{ readonly profile: Json | undefined } | { readonly reason: string; readonly silent?: true }> {
  const which = supplierOrder === null ? { iccid } : { orderNo: supplierOrder };
  const profiles = await queryProfiles(client, which, deadline);
  if ('reason' in profiles) return profiles;
  if ('list' in profiles) return { profile: profiles.list.find((one) => one.iccid === iccid) };
  return UNKNOWN.includes(profiles.code) ? { profile: undefined } : { reason: `code ${profiles.code}` };
}

/** What the order's one package cost, where the profile names a price. Null: it does not say. */
export function chargedFor(profile: Json): Micros | null {
  const [sold] = listOf(profile.packageList) ?? [];
  return microsOfUnits(sold?.price ?? profile.price);
}

/** Undefined while the profile is incomplete. */
export function readProfile(profile: Json): Esim | undefined {
  const iccid = textOf(profile.iccid);
  const activationCode = textOf(profile.ac);
  const [, smdpAddress, matchingId] = activationCode?.split('$') ?? [];
  if (iccid === null || activationCode === null || !smdpAddress) return undefined;
  const [msisdn, apn] = [textOf(profile.msisdn), textOf(profile.apn)];
  return esimOf({ iccid, smdpAddress, matchingId: matchingId || null, activationCode, msisdn, apn, apnValue: apn });
}

const phoneStates: Readonly<Record<string, ProfileState>> = {
  RELEASED: 'released',
  DOWNLOAD: 'downloaded',
  INSTALLATION: 'installed',
  ENABLED: 'enabled',
  DISABLED: 'disabled',
  DELETED: 'deleted',
};

/** States of the data plan that only an installed profile has. */
const INSTALLED = ['ONBOARD', 'IN_USE', 'USED_UP'];

/**
 * The eSIM on the phone, as its own server reports it. That server does not see every phone: a profile that still counts as
 * released while its data is used must have been installed. They name the chip of the phone (`eid`), but neither brand nor model
 * nor country.
 */
export function onPhone({ smdpStatus, esimStatus }: Json): Partial<ProfileReading> {
  const told = textOf(smdpStatus);
  const isInstalled = INSTALLED.includes(textOf(esimStatus) ?? '');
  if (told === null) return isInstalled ? { state: 'installed' } : {};
  const state = Object.hasOwn(phoneStates, told) ? phoneStates[told] : undefined;
  return { state: state === 'released' && isInstalled ? 'installed' : (state ?? 'unknown') };
}

/** They refuse it: the state does not allow it, or there is no such eSIM. */
const REFUSED = ['200002', '310403'];
const ENDED = ['USED_EXPIRED', 'UNUSED_EXPIRED', 'CANCEL', 'REVOKED'];

/**
 * Switches an eSIM's service off (`suspend`) or on again (`unsuspend`). Both set a state, so after a lost reply the call is simply
 * made again.
 *
 * Assumed, because the documents do not say it: a suspended eSIM has an `esimStatus` that begins with `SUSPEND` (their console says
 * "Suspended", and other clients read `SUSPENDED`), and a call that changes nothing may be refused. So a refusal counts as done when
 * the eSIM is in the wanted state.
 */
export async function setService(
  client: EsimAccessClient,
  esim: EsimReference,
  wanted: 'suspend' | 'unsuspend',
  deadline: Deadline,
): Promise<SwitchAnswer> {
  const found = await profileOf(client, esim, deadline);
  if ('reason' in found) return { outcome: 'unavailable', reason: found.reason };
  const esimTranNo = textOf(found.profile?.esimTranNo);
  if (!found.profile || esimTranNo === null) return { outcome: 'refused', reason: 'no such eSIM' };
  if (ENDED.includes(statusOf(found.profile))) return { outcome: 'refused', reason: 'it has ended' };
  if (wanted === 'suspend' && isSuspended(found.profile)) return { outcome: 'done' };
  const answer = await client.post(`/esim/${wanted}`, { esimTranNo }, deadline);
  if (answer.said === 'yes') return { outcome: 'done' };
  if (answer.said !== 'no') return { outcome: 'unavailable', reason: answer.reason };
  const reason = `code ${answer.code}`;
  if (!REFUSED.includes(answer.code)) return { outcome: 'unavailable', reason };
  const now = await profileOf(client, esim, deadline);
  if (!('profile' in now) || !now.profile) return { outcome: 'unavailable', reason };
  return isSuspended(now.profile) === (wanted === 'suspend') ? { outcome: 'done' } : { outcome: 'refused', reason };
}

const statusOf = ({ esimStatus }: Json): string => textOf(esimStatus) ?? '';
const isSuspended = (profile: Json): boolean => statusOf(profile).startsWith('SUSPEND');
