/*
 * Refunds of delivered orders, one row each in `refunds`.
 *
 *     request ──► withdrawing ──► refunded            the supplier took the eSIM back; the whole price went back
 *        │            └─────────► requested           the supplier refused
 *        └──────────────────────► requested ──► refunded | rejected    the operator decides
 *
 * The row comes first, in a short transaction of its own (open.ts). Then the supplier is asked, outside any transaction
 * (withdrawal.ts), and its answer is written in a second one (give-back.ts). A process that dies in between leaves a row whose
 * `due_at` passes; the job then asks again, which is safe: a supplier gives the same answer for an eSIM that is already withdrawn.
 *
 * Both transactions hold the partner's wallet, and so does an operator's decision (decide.ts). That lock is what makes a refund
 * happen once, and what keeps a refill from being paid for an eSIM that is being withdrawn.
 */

import { SECOND } from '../../../platform/clock.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import { isPassing, type Tx } from '../../../platform/db/database.ts';
import { accountTime } from '../../../platform/db/query/account-time.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { bound, type Readers } from '../../../platform/db/replicas.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import { workOnAll } from '../../../platform/limits/turns.ts';
import type { Services } from '../../../platform/start/services.ts';
import type { PartnerRefund } from '../../messages/events/events.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import { lockWallets, walletTx } from '../../money/ledger/ledger.ts';
import { replacedEsims } from '../esims/esims.ts';
import { orderMarks } from '../orders/orders.ts';
import { approveRefund, giveManually, rejectRefund } from './decide.ts';
import { giveBack, type TakeBackShares } from './give-back.ts';
import { handBackDue } from './hand-back.ts';
import { openRefund, type RefundRequest } from './open.ts';
import { announceRefund, listRefunds, partnerRefund, type Refund, readRefund, refundColumns } from './rows.ts';
import {
  supplierWithdrawals,
  type Withdrawal,
  type WithdrawalWorld,
  waitAfter,
  withdrawalColumns,
} from './withdrawal.ts';

export type { Decision } from './decide.ts';
export type { GivenBack } from './give-back.ts';
export {
  accountTimeAt,
  forgetRefunds,
  type Refund,
  readRefund,
  refundAlerts,
  refundStatuses,
  refundVersion,
  tellWhole,
} from './rows.ts';

export {
  type AskForWithdrawal,
  mayWithdraw,
  supplierWithdrawals,
  type Withdrawal,
  type WithdrawalWorld,
  waitAfter,
  withdrawalColumns,
} from './withdrawal.ts';

type RequestOutcome =
  /** There is a refund: a new one, or the one on record. */
  { readonly outcome: 'refund'; readonly refund: PartnerRefund } | { readonly outcome: 'not_found' | 'not_refundable' };

/** The refunds of one world. */
type Refunds = ReturnType<typeof createRefunds>;

/** The part of a world refunds work in. */
interface RefundWorld extends WithdrawalWorld, Readers {
  readonly webhooks: Webhooks;
  /** Brings these orders up to date before they are read. */
  beforeRead(partnerId: number, orderIds: readonly bigint[]): Promise<number>;
}

interface RefundOptions extends Pick<Services, 'vault' | 'clock' | 'log'> {
  /** How long a request waits for the supplier. */
  readonly budgetMs: number;
  readonly takeBackShares: TakeBackShares;
}

/** How long after that another process may ask. */
const LEASE_MARGIN_MS = 5 * SECOND;
/** Withdrawals one round of the job tries side by side. */
const MAX_CLAIM = 64;
const WITHDRAWN = 'eSIM returned unused';

export function createRefunds(world: RefundWorld, options: RefundOptions) {
  const { db, reads } = world;
  const { clock, log, budgetMs } = options;
  const parts = { vault: options.vault, webhooks: world.webhooks, takeBackShares: options.takeBackShares };
  const ask = supplierWithdrawals(world, { clock, log, limitMs: budgetMs });
  const leasedUntil = () => new Date(clock.now() + budgetMs + LEASE_MARGIN_MS);
  /** Requests this process is answering right now: however many ask for the same order, one of them acts. */
  const running = new Map<string, Promise<RequestOutcome>>();

  async function of(partnerId: number, orderId: bigint): Promise<PartnerRefund | undefined> {
    const refund = await readRefund(db, orderId);
    return refund?.partnerId === partnerId ? partnerRefund(refund) : undefined;
  }

  async function request(wanted: RefundRequest): Promise<RequestOutcome> {
    const known = await of(wanted.partnerId, wanted.orderId);
    if (known) return { outcome: 'refund', refund: known };
    await world.beforeRead(wanted.partnerId, [wanted.orderId]);
    const opened = await walletTx(db, wanted.partnerId, (tx) => openRefund(tx, parts, wanted, leasedUntil()));
    if (opened.outcome === 'on_record') return { outcome: 'refund', refund: partnerRefund(opened.refund) };
    if (opened.outcome !== 'withdrawing') return opened;
    try {
      const withdrawing = withdraw(wanted.orderId, opened.withdrawal);
      const refund = await (wanted.budget?.within<Refund | undefined>(withdrawing, () => opened.refund) ?? withdrawing);
      return refund ? { outcome: 'refund', refund: partnerRefund(refund) } : { outcome: 'not_found' };
    } catch (error) {
      // The request is on record: whatever went wrong here, the job finishes it.
      log[isPassing(error) ? 'warn' : 'error'](
        { err: error, orderId: wanted.orderId.toString() },
        'a refund was interrupted; the job takes over',
      );
      return { outcome: 'refund', refund: partnerRefund(opened.refund) };
    }
  }

  /**
   * One try. `orderId` is refunded; the eSIM is that of the order or, if it was replaced, of its replacement. Undefined: its world was
   * reset meanwhile and the order is gone.
   */
  async function withdraw(orderId: bigint, withdrawal: Withdrawal): Promise<Refund | undefined> {
    const { supplier, attempts } = withdrawal;
    const answer = await ask(withdrawal);
    if (answer.outcome === 'withdrawn')
      return walletTx(db, withdrawal.partnerId, (tx) => finish(tx, orderId, withdrawal));
    log.info({ orderId: orderId.toString(), supplier, ...answer }, 'the supplier did not take an eSIM back');
    if (answer.outcome === 'refused') return db.tx((tx) => leaveToOperator(tx, orderId));
    const dueAt = new Date(clock.now() + waitAfter(attempts));
    await db.run(sql`update refunds set due_at = ${dueAt} where order_id = ${orderId} and status = 'withdrawing'`);
    return readRefund(db, orderId);
  }

  /** The supplier does not withdraw the eSIM, so the operator has to decide. */
  async function leaveToOperator(tx: Tx, orderId: bigint): Promise<Refund | undefined> {
    const left = await tx.maybe<Refund & { at: Date }>(sql`
      update refunds set status = 'requested', due_at = null where order_id = ${orderId} and status = 'withdrawing'
      returning ${refundColumns}, ${accountTime(clock.now(), sql`refunds.partner_id`)} as at`);
    if (!left) return readRefund(tx, orderId);
    const { at, ...refund } = left;
    await announceRefund(tx, parts, 'order.refund_requested', refund, at);
    return refund;
  }

  /** The eSIM is withdrawn, so its whole price is refunded, unless an operator has done so meanwhile. */
  async function finish(
    tx: Tx,
    orderId: bigint,
    { orderId: broughtBy, partnerId }: Withdrawal,
  ): Promise<Refund | undefined> {
    const wallets = await lockWallets(tx, [partnerId]);
    const found = await tx.maybe<Refund & { at: Date }>(sql`
      select ${refundColumns}, ${accountTime(clock.now(), sql`refunds.partner_id`)} as at
      from refunds where order_id = ${orderId} for update`);
    if (!found) return undefined;
    const { at, ...refund } = found;
    if (broughtBy !== orderId) await orderMarks.withdrawn(tx, broughtBy, at);
    if (refund.status === 'rejected')
      log.error(
        { orderId: orderId.toString() },
        'an eSIM was withdrawn though its refund was rejected: see `refund approve`',
      );
    if (refund.status === 'withdrawing' || refund.status === 'requested')
      return (await giveBack(tx, parts, wallets, { orderId, partnerId, line: WITHDRAWN, isWithdrawn: true, at }))
        .refund;
    await orderMarks.withdrawn(tx, orderId, at);
    return refund;
  }

  return {
    /** Undefined: none was requested or made. */
    of,

    request(wanted: RefundRequest): Promise<RequestOutcome> {
      const name = `${wanted.partnerId} ${wanted.orderId}`;
      const answer = running.get(name) ?? request(wanted).finally(() => running.delete(name));
      running.set(name, answer);
      return answer;
    },

    /** Claims withdrawals that are due and asks each supplier once more; returns how many. */
    async withdrawDue(): Promise<number> {
      const claimed = await db.query<Withdrawal & { refundOf: bigint }>(sql`
        with due as (
          select order_id from refunds where due_at <= ${new Date(clock.now())} and status = 'withdrawing'
          order by due_at limit ${MAX_CLAIM} for update skip locked
        )
        update refunds set due_at = ${leasedUntil()}, attempts = refunds.attempts + 1
        from due join orders on orders.id = ${replacedEsims.lastInPlaceOf(sql`due.order_id`, 'placed')}
        where refunds.order_id = due.order_id
        returning ${withdrawalColumns}, refunds.attempts, refunds.order_id as "refundOf"`);
      return workOnAll(claimed, ({ refundOf, ...withdrawal }) => withdraw(refundOf, withdrawal));
    },

    /** The same for orders that were delivered although their cancel was requested. */
    handBackDue: () => handBackDue({ ...parts, db, clock, log, ask }, leasedUntil()),

    /** Over all partners, for operators. */
    ...bound(reads, { list: listRefunds }),
    ...bound(db, { read: readRefund }),
    /** For the operator, in a transaction of theirs that holds the wallet. */
    ...bound(parts, { giveManually, approve: approveRefund, reject: rejectRefund }),
  };
}

interface JobWorld {
  readonly schema: Mode;
  readonly refunds: Pick<Refunds, 'withdrawDue' | 'handBackDue'>;
}

/** Finishes withdrawals that no request is waiting for any more, and returns eSIMs of cancelled orders. */
export const refundJob = ({ refunds, schema }: JobWorld): Job => ({
  name: `refund ${schema}`,
  everyMs: SECOND,
  run: async () => (await refunds.withdrawDue()) + (await refunds.handBackDue()),
});
