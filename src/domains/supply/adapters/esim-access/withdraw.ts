import { setTimeout as wait } from 'node:timers/promises';
import type { EsimReference, WithdrawAnswer } from '../../port/port.ts';
import type { Deadline } from '../deadline.ts';
import { textOf } from '../loose.ts';
import type { EsimAccessClient } from './client.ts';
import { profileOf } from './profiles.ts';

/** An eSIM that can still be cancelled, or the answer for one that cannot. */
type Cancellable = { readonly esimTranNo: string } | WithdrawAnswer;

/** They refuse to withdraw it, whatever its profile says: the state does not allow it, or there is no such eSIM. */
const REFUSED = ['200002', '310403'];

/**
 * Cancels a profile that was never downloaded; its price is returned to our balance. We go by the profile's state, not by the reply
 * to the call, because the reply does not say which profile it is about. So a lost reply is resolved by asking again.
 */
export async function withdraw(
  client: EsimAccessClient,
  esim: EsimReference,
  deadline: Deadline,
  pollMs: number,
): Promise<WithdrawAnswer> {
  const before = await cancellableOf(client, esim, deadline);
  if ('outcome' in before) return before;
  const answer = await client.post('/esim/cancel', { esimTranNo: before.esimTranNo }, deadline);
  if (answer.said === 'nothing' || answer.said === 'nonsense') return { outcome: 'unavailable', reason: answer.reason };
  for (;;) {
    const now = await cancellableOf(client, esim, deadline);
    if ('outcome' in now) return now;
    if (answer.said === 'no') {
      const outcome = REFUSED.includes(answer.code) ? 'refused' : 'unavailable';
      return { outcome, reason: `code ${answer.code}` };
    }
    if (deadline.leftMs() <= pollMs) return { outcome: 'unavailable', reason: 'not cancelled yet' };
    await wait(pollMs);
  }
}

async function cancellableOf(client: EsimAccessClient, esim: EsimReference, deadline: Deadline): Promise<Cancellable> {
  const found = await profileOf(client, esim, deadline);
  if ('reason' in found) return { outcome: 'unavailable', reason: found.reason };
  const { profile } = found;
  const esimTranNo = textOf(profile?.esimTranNo);
  if (!profile || esimTranNo === null) return { outcome: 'refused', reason: 'no such eSIM' };
  if (profile.esimStatus === 'CANCEL') return { outcome: 'withdrawn' };
  const isUntouched = profile.esimStatus === 'GOT_RESOURCE' && profile.smdpStatus === 'RELEASED';
  return isUntouched ? { esimTranNo } : { outcome: 'refused', reason: 'it was installed or used, or it has ended' };
}
