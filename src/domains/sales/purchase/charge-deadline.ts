import { isPassing, type Queryable } from '../../../platform/db/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { BuyOutcome } from './buy-outcome.ts';
import type { LaneOutcome } from './charge-lanes.ts';
import { type Decision, readWallet, type WalletFigures, type Wanted } from './decide.ts';
import { OrderGone } from './moves.ts';

/** Its charge was being written when the time of its request was up. */
interface BeingWritten {
  readonly outcome: 'being_written';
  readonly orderId: bigint;
  readonly wallet: WalletFigures;
}

export type ChargeByDeadline = LaneOutcome | BeingWritten;

/**
 * The charge, or how far it got in the time of its request. Before it is written it can be left out, and is (`late`). While it is
 * being written its outcome is unknown: a retry with the same key finds out, and if it is paid, the job delivers it.
 */
export function chargeByDeadline<T>(
  wanted: Wanted,
  charge: (wanted: Wanted) => Promise<T>,
  instead: (outcome: BeingWritten | { readonly outcome: 'late' }) => T,
): Promise<T> {
  const { budget } = wanted;
  if (!budget) return charge(wanted);
  let written: BeingWritten | undefined;
  const onWriting = ({ orderId, wallet }: Pick<Decision, 'orderId' | 'wallet'>) => {
    written = { outcome: 'being_written', orderId, wallet };
  };
  return budget.within(charge({ ...wanted, onWriting }), () => instead(written ?? { outcome: 'late' }));
}

/** The outcome of a purchase that left no order to show. */
export async function notCharged(
  db: Queryable,
  partnerId: number,
  charged: Exclude<ChargeByDeadline, { outcome: 'paid' | 'refused' | 'recorded' }>,
): Promise<Exclude<BuyOutcome, { outcome: 'bought' }>> {
  switch (charged.outcome) {
    case 'suspended':
      return { outcome: 'suspended', billingMode: charged.wallet.billingMode };
    case 'price_changed':
    case 'limit_exceeded':
      return charged;
    case 'over':
      return { outcome: 'no_room', shortfall: charged.shortfall };
    case 'outdated':
    case 'charge_in_progress':
    case 'credit_refused':
      return { outcome: charged.outcome, wallet: await readWallet(db, partnerId) };
    case 'being_written':
      return { ...charged, outcome: 'charge_in_progress' };
    case 'not_written':
    case 'withdrawn':
    case 'esim_gone':
    case 'rule_changed':
    case 'late':
      return charged;
  }
}

/** A paid order is on record: whatever went wrong with its delivery, the provisioning job finishes it. */
export function noteInterrupted(log: Log, order: { readonly id: bigint }, error: unknown): void {
  const orderId = order.id.toString();
  if (error instanceof OrderGone) log.info({ orderId }, 'the order was deleted while it was delivered');
  else
    log[isPassing(error) ? 'warn' : 'error'](
      { err: error, orderId },
      'provisioning was interrupted; the job takes over',
    );
}
