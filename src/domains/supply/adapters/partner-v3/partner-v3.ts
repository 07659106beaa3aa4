import type { Services } from '../../../../platform/start/services.ts';
import type { EsimReference, Supplier, WithdrawAnswer } from '../../port/port.ts';
import { type Deadline, deadlineIn, openAlarm } from '../connection.ts';
import { listOf, objectOf, textOf } from '../loose.ts';
import { openClient, type PartnerClient, readBalance, troubleOf, troubleText } from './client.ts';
import { readList } from './list.ts';
import { find, place } from './orders.ts';
import { readUsage, setService } from './usage.ts';

const refused = (reason: string): WithdrawAnswer => ({ outcome: 'refused', reason });
const notYet = (reason: string): WithdrawAnswer => ({ outcome: 'unavailable', reason });

/**
 * Requests a refund for an eSIM that was never used. They refund it at once, or somebody there decides: until then we ask
 * again, by reading, and the refund here waits for theirs. An order has one refund there, so nothing is asked for twice.
 */
async function withdraw(
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

/** They allow 360 readings a minute for a key; look-ups of orders need some of them. */
const USAGE_PER_SECOND = 3;
/** Keys that sell eSIMs which do not exist. */
const TEST_KEY = 'esk_test_';

/** One account at a service that speaks the partner API, with its connections. */
export function openPartnerV3(
  { slug, url, key }: { readonly slug: string; readonly url: URL; readonly key: string },
  { clock, log }: Pick<Services, 'clock' | 'log'>,
): { readonly supplier: Supplier; close(): Promise<void> } {
  const alarm = openAlarm(slug, 'a partner API needs the operator', { clock, log });
  if (key.startsWith(TEST_KEY))
    log.warn({ supplier: slug }, 'the key is a test key: the eSIMs of this supplier are not real');
  const client = openClient({ url, key });
  const parts = { client, clock, alarm, seen: new Map<string, string>() };

  return {
    supplier: {
      name: slug,
      sellsRefills: true,
      usagePerSecond: USAGE_PER_SECOND,
      plans: (signal, since = null) => readList(client, { slug, title: url.host }, since, signal),
      order: (order, limitMs) => place(parts, order, deadlineIn(limitMs)),
      find: (order, limitMs) => find(parts, order, deadlineIn(limitMs)),
      withdraw: (esim, limitMs) => withdraw(client, esim, deadlineIn(limitMs)),
      balance: (limitMs) => readBalance(client, deadlineIn(limitMs)),
      suspend: ({ iccid }, limitMs) => setService(client, iccid, 'suspend', deadlineIn(limitMs)),
      resume: ({ iccid }, limitMs) => setService(client, iccid, 'resume', deadlineIn(limitMs)),
      usage: ({ iccid }, limitMs) => readUsage(parts, iccid, deadlineIn(limitMs)),
    },
    close: () => client.close(),
  };
}
