import type { EsimReference, WithdrawAnswer } from '../../port/port.ts';
import type { Deadline } from '../deadline.ts';
import { listOf, objectOf, textOf } from '../loose.ts';
import type { PartnerClient } from './client.ts';
import { troubleOf, troubleText } from './refusals.ts';

const refused = (reason: string): WithdrawAnswer => ({ outcome: 'refused', reason });
const notYet = (reason: string): WithdrawAnswer => ({ outcome: 'unavailable', reason });

/**
 * Requests a refund for an eSIM that was never used. They refund it at once, or somebody there decides: until then we ask
 * again, by reading, and the refund here waits for theirs. An order has one refund there, so nothing is asked for twice.
 */
export async function withdraw(
  client: PartnerClient,
  { iccid, supplierOrder }: EsimReference,
  deadline: Deadline,
): Promise<WithdrawAnswer> {
  const offers = await client.offers(deadline);
  if ('failed' in offers) return notYet(offers.failed);
  if (!offers.refunds) return refused('they take nothing back by themselves');
  if (supplierOrder === null) return refused('no such eSIM');
  const wayfare = client.within(deadline);
  try {
    const earlier = objectOf(objectOf(await wayfare.order.detail(supplierOrder)).refund);
    if (textOf(earlier.status) !== null) return answerOf(textOf(earlier.status));
    const found = objectOf(await wayfare.esim.detail(iccid));
    const state = textOf(objectOf(found.esim).state);
    // A request for one in use, or with refills, would only be work for somebody there.
    if (state !== 'not_active') return refused('it was used, or it has ended');
    if ((listOf(found.orders)?.length ?? 1) > 1) return refused('it was refilled');
    const { refund } = objectOf(await wayfare.order.refund({ order_id: Number(supplierOrder) }));
    return answerOf(textOf(objectOf(refund).status));
  } catch (thrown) {
    const trouble = troubleOf(thrown);
    const isFinal = 'code' in trouble && (trouble.status === 404 || trouble.code === 'order_not_refundable');
    return isFinal ? refused(trouble.code) : notYet(troubleText(trouble));
  }
}

function answerOf(status: string | null): WithdrawAnswer {
  if (status === 'refunded') return { outcome: 'withdrawn' };
  if (status === 'rejected') return refused('they rejected the refund');
  return notYet('they have not decided yet');
}
