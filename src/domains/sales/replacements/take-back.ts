import { accountTime, accountTimeOf } from '../../../platform/db/query/account-time.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { workOnAll } from '../../../platform/limits/turns.ts';
import type { Services } from '../../../platform/start/services.ts';
import { lockWallets, walletTx } from '../../money/ledger/ledger.ts';
import type { Esim, Esims } from '../esims/esims.ts';
import { orderMarks } from '../orders/orders.ts';
import {
  type AskForWithdrawal,
  mayWithdraw,
  type Withdrawal,
  waitAfter,
  withdrawalColumns,
} from '../refunds/refunds.ts';
import type { Replacement } from './rows.ts';

/*
 * What becomes of the old eSIM once the new one is delivered. Not before: a traveller must not be left without one. Its supplier is asked
 * to withdraw it or, where it cannot or does not, to suspend it. Where neither is possible it is left as it is, and the row says so: the
 * operator sees which old eSIMs still work. `due_at` is the work: a process that dies leaves it to the next one, and a supplier that does
 * not answer is asked again.
 */

interface OldEsim extends Withdrawal {
  readonly replacementId: bigint;
  readonly mayWithdraw: boolean;
  readonly isWithdrawn: boolean;
}

interface TakeBackParts extends Pick<Services, 'db' | 'clock' | 'log'> {
  readonly ask: AskForWithdrawal;
  readonly esims: Pick<Esims, 'find'>;
  readonly suspensions: OldEsimSuspensions;
  readonly leasedUntil: () => Date;
}

/** Suspends eSIMs at their suppliers. */
export interface OldEsimSuspensions {
  /** `unavailable`: no answer, so ask again. Anything else but `done`: it is not suspended, and will not be. */
  suspend(esim: Esim, now: number): Promise<'done' | 'not_found' | 'not_active' | 'not_supported' | 'unavailable'>;
}

const MAX_CLAIM = 64;

/** Claims what is due, or just this one, and asks each supplier once; returns how many. */
export async function takeBackDue(parts: TakeBackParts, only?: bigint): Promise<number> {
  const { db, clock, leasedUntil } = parts;
  const claimed = await db.query<OldEsim>(sql`
    with due as (
      select id from esim_replacements where due_at <= ${new Date(clock.now())} ${only === undefined ? sql`` : sql`and id = ${only}`}
      order by due_at limit ${MAX_CLAIM} for update skip locked
    )
    update esim_replacements r set due_at = ${leasedUntil()}, attempts = r.attempts + 1
    from due, orders where r.id = due.id and orders.id = r.old_order_id
    returning ${withdrawalColumns}, r.id as "replacementId", r.attempts, ${mayWithdraw} as "mayWithdraw",
      orders.withdrawn_at is not null as "isWithdrawn"`);
  return workOnAll(claimed, (old) => takeBack(parts, old));
}

async function takeBack(parts: TakeBackParts, old: OldEsim): Promise<void> {
  const { db, clock, log, ask } = parts;
  const { replacementId, isWithdrawn, mayWithdraw, ...withdrawal } = old;
  const answer = isWithdrawn ? ({ outcome: 'withdrawn' } as const) : mayWithdraw ? await ask(withdrawal) : undefined;
  if (answer?.outcome === 'withdrawn') return note(parts, old, 'withdrawn');
  const suspended = answer?.outcome === 'unavailable' ? answer.outcome : await suspend(parts, old);
  if (suspended === 'done') return note(parts, old, 'suspended');
  const about = { orderId: old.orderId.toString(), supplier: old.supplier, withdraw: answer, suspend: suspended };
  log.info(about, 'a replaced eSIM was neither withdrawn nor suspended');
  if (suspended !== 'unavailable') return note(parts, old, 'left');
  const dueAt = new Date(clock.now() + waitAfter(old.attempts));
  await db.run(sql`update esim_replacements set due_at = ${dueAt} where id = ${replacementId} and due_at is not null`);
}

async function suspend({ db, clock, esims, suspensions }: TakeBackParts, old: OldEsim) {
  const { partnerId, iccid, orderId } = old;
  const now = (await accountTimeOf(db, clock.now(), partnerId)).getTime();
  const esim = await esims.find(partnerId, iccid, now);
  // An ICCID that its supplier has used again is another eSIM by now.
  return esim?.orderId === orderId ? suspensions.suspend(esim, now) : 'not_found';
}

/** The supplier's answer, in the transaction that marks the eSIM. */
const note = (
  { db, clock }: TakeBackParts,
  { replacementId, orderId, partnerId }: OldEsim,
  became: NonNullable<Replacement['oldEsim']>,
): Promise<void> =>
  walletTx(db, partnerId, async (tx) => {
    await lockWallets(tx, [partnerId]);
    const noted = await tx.maybe<{ at: Date }>(sql`
      update esim_replacements set old_esim = ${became}, due_at = null where id = ${replacementId} and due_at is not null
      returning ${accountTime(clock.now(), sql`esim_replacements.partner_id`)} as at`);
    if (noted && became === 'withdrawn') await orderMarks.withdrawn(tx, orderId, noted.at);
  });
