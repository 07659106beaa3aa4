import { type Cents, formatCents } from '../../../platform/amounts/cents.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { RefundTooLarge, type Wallet } from '../../money/ledger/ledger.ts';
import { type GiveBackParts, type GivenBack, giveBack } from './give-back.ts';
import { announceRefund, type Refund, readRefund, refundColumns } from './rows.ts';

/** What an operator decides about the money of one order. */
export interface Decision {
  readonly orderId: bigint;
  readonly partnerId: number;
  /** Undefined: everything that is left. */
  readonly amount: Cents | undefined;
  /** The partner sees it; undefined: the note it has stays. */
  readonly note: string | undefined;
  readonly at: Date;
}

/**
 * Refunds by hand, whether or not the partner asked for it. The caller's transaction holds the wallet, as a withdrawal's does, so
 * the two cannot overlap. While a withdrawal is pending, only the whole price can be refunded: the eSIM may already be gone, and
 * its partner must not be left with less.
 */
export async function giveManually(
  parts: GiveBackParts,
  tx: Tx,
  wallets: ReadonlyMap<number, Wallet>,
  decision: Decision,
): Promise<GivenBack> {
  const { orderId, amount, note } = decision;
  if (amount !== undefined) requireNotWithdrawing(await readRefund(tx, orderId));
  const wanted = { ...decision, line: note ?? '', isWithdrawn: false };
  const given = await giveBack(tx, parts, wallets, wanted).catch((error) => {
    if (!(error instanceof RefundTooLarge)) throw error;
    throw new Refused('refund_too_large', `${formatCents(error.left)} USD of order ${orderId} can still be refunded`);
  });
  if (given.given === 0n) throw new Refused('refund_too_large', `order ${orderId} is fully refunded`);
  return given;
}

/** Approves a request in full or in part; also after a rejection or a partial refund. */
export async function approveRefund(
  parts: GiveBackParts,
  tx: Tx,
  wallets: ReadonlyMap<number, Wallet>,
  decision: Decision,
): Promise<GivenBack> {
  requireRefund(await readRefund(tx, decision.orderId), decision.orderId);
  return giveManually(parts, tx, wallets, decision);
}

/** Rejects a request that is open. The caller's transaction holds the wallet. */
export async function rejectRefund(parts: GiveBackParts, tx: Tx, decision: Omit<Decision, 'amount'>): Promise<Refund> {
  const { orderId, note = '', at } = decision;
  const refund = requireRefund(await readRefund(tx, orderId), orderId);
  requireNotWithdrawing(refund);
  if (refund.status !== 'requested')
    throw new Refused('refund_decided', `the refund of order ${orderId} is ${refund.status} already`);
  const rejected = await tx.one<Refund>(sql`
    update refunds set status = 'rejected', note = ${note}, decided_at = ${at}
    where order_id = ${orderId} returning ${refundColumns}`);
  await announceRefund(tx, parts, 'order.refund_rejected', rejected, at);
  return rejected;
}

function requireRefund(refund: Refund | undefined, orderId: bigint): Refund {
  if (!refund)
    throw new Refused('refund_not_found', {
      page: `no refund of order ${orderId} was requested; refund the order on its own page instead`,
      terminal: `no refund of order ${orderId} was requested; see \`order refund\``,
    });
  return refund;
}

function requireNotWithdrawing(refund: Refund | undefined): void {
  if (refund?.status === 'withdrawing')
    throw new Refused('withdrawal_in_progress', {
      page: 'its supplier is being asked to take the eSIM back: wait for the answer, or give back the whole price',
      terminal:
        'its supplier is being asked to take the eSIM back: wait for the answer, or give back the whole price, without --amount',
    });
}
