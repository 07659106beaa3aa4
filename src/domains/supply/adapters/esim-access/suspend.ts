import type { EsimReference, SwitchAnswer } from '../../port/port.ts';
import type { Deadline } from '../deadline.ts';
import { type Json, textOf } from '../loose.ts';
import type { EsimAccessClient } from './client.ts';
import { profileOf } from './profiles.ts';

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
