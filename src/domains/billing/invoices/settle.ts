import { type Cents, formatCents, toCents, ZERO } from '../../../platform/amounts/cents.ts';
import { DAY } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Notices } from '../../messages/mail/mail.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import { debtMovementTypes, setOverdue } from '../../money/ledger/ledger.ts';
import { buyerOf } from './details.ts';
import { type InvoiceStatus, invoiceEvent, listInvoices } from './rows.ts';

/*
 * Which invoices are paid. Nothing is entered twice: what settles invoices is what lowered the debt in the ledger, that is payments,
 * corrections and revenue shares (less corrections upwards), and credit notes for refunds of orders on credit terms. It settles the
 * oldest month first. So the sum of what is due equals the debt, apart from the orders of months that are not closed.
 *
 * An invoice that was voided keeps what it had settled until its month is issued again: the new invoice then comes first for it.
 */

/** What a world decides about what is overdue. */
interface OverdueTerms {
  /** Purchases are refused so many days after an invoice was due; undefined: never. */
  readonly suspendDays: number | undefined;
  /** Only if more than this is overdue. */
  readonly minOverdue: Cents;
}

export interface SettleParts {
  readonly overdue: OverdueTerms;
  readonly webhooks: Pick<Webhooks, 'publish'>;
  /** Undefined where no documents are mailed. */
  readonly notices: Notices | undefined;
}

/** Days from the due date on which a reminder is sent. */
const REMINDER_DAYS = [-3, 0, 7, 14] as const;

/** What raises or lowers a debt without being an order's charge or refund. */
export const settlingTypes = debtMovementTypes.filter((type) => type !== 'charge' && type !== 'refund');

interface Slot {
  readonly id: bigint;
  readonly month: string;
  readonly onTerms: Cents;
  readonly dueAt: Date;
  readonly status: InvoiceStatus;
  readonly settled: Cents;
  readonly reminded: number;
  readonly paidEvents: number;
  readonly overdueEvents: number;
}

const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY);

/**
 * Brings the invoices of a partner in line with what was paid and with the time, and sends what follows from it. Locks the partner's
 * account. With `wallet: 'locked'` the caller holds the wallet, so that purchases can be refused or allowed again; otherwise that is
 * left to the job.
 */
export async function settleInvoices(
  tx: Tx,
  parts: SettleParts,
  partnerId: number,
  at: Date,
  { wallet }: { readonly wallet: 'locked' | 'not locked' },
): Promise<void> {
  const account = await tx.maybe<{ paid: Cents; isOverdue: boolean; credited: Cents }>(sql`
    with locked as materialized (select * from invoice_accounts where partner_id = ${partnerId} for update),
    written as (
      select -coalesce(sum(movements.amount), 0)::bigint as paid, wallets.debt_lines from locked join wallets using (partner_id)
      left join movements on movements.partner_id = wallets.partner_id and movements.book = 'debt'
        and movements.type = any(${settlingTypes}::text[]) and movements.line > locked.debt_lines and movements.line <= wallets.debt_lines
      group by wallets.debt_lines
    )
    update invoice_accounts set paid = invoice_accounts.paid + written.paid, debt_lines = written.debt_lines from written
    where invoice_accounts.partner_id = ${partnerId}
    returning invoice_accounts.paid + opening as paid, (select is_overdue from wallets where wallets.partner_id = ${partnerId}) as "isOverdue",
      (select coalesce(sum(on_terms), 0)::bigint from invoices
        where invoices.partner_id = ${partnerId} and kind = 'credit_note' and not voids) as credited`);
  if (!account) return;
  const slots = await tx.query<Slot>(sql`
    select i.id, to_char(i.month, 'YYYY-MM') as month, i.on_terms as "onTerms", i.due_at as "dueAt", s.status, s.settled, s.reminded,
      s.paid_events as "paidEvents", s.overdue_events as "overdueEvents"
    from invoices i join invoice_states s on s.invoice_id = i.id
    where i.partner_id = ${partnerId} and i.kind = 'invoice' and i.on_terms > 0 order by i.month, i.id`);
  const next = allocate(slots, toCents(account.paid + account.credited)).map((slot) => moved(slot, at));
  const isSuspended = mustSuspend(next, parts.overdue, at);
  const isLeftToJob = wallet === 'not locked' && isSuspended !== account.isOverdue;
  const nextLook = isLeftToJob ? at : new Date((dayOf(at) + 1) * DAY);
  await tx.run(sql`
    update invoice_states set status = now.status, settled = now.settled, reminded = now.reminded, paid_events = now.paid_events,
      overdue_events = now.overdue_events, next_at = case when now.status in ('open', 'overdue') then ${nextLook}::timestamptz end
    from unnest(
      ${next.map(({ id }) => id)}::bigint[], ${next.map(({ status }) => status)}::text[], ${next.map(({ settled }) => settled)}::bigint[],
      ${next.map(({ reminded }) => reminded)}::smallint[], ${next.map(({ paidEvents }) => paidEvents)}::smallint[],
      ${next.map(({ overdueEvents }) => overdueEvents)}::smallint[]
    ) as now (id, status, settled, reminded, paid_events, overdue_events) where invoice_id = now.id`);
  if (wallet === 'locked' && isSuspended !== account.isOverdue) await setOverdue(tx, partnerId, isSuspended);
  await report(tx, parts, partnerId, slots, next, at);
}

/** Oldest month first. Of a month whose invoice was voided, what it had settled is kept for the next one. */
export function allocate<S extends Pick<Slot, 'month' | 'onTerms' | 'status' | 'settled'>>(
  slots: readonly S[],
  paid: Cents,
): S[] {
  let left = paid > 0n ? paid : ZERO;
  const standing = new Set(slots.filter(({ status }) => status !== 'void').map(({ month }) => month));
  const lastOf = new Map(slots.map((slot) => [slot.month, slot]));
  return slots.map((slot) => {
    const isKept = !standing.has(slot.month) && lastOf.get(slot.month) === slot;
    const room = slot.status !== 'void' ? slot.onTerms : isKept ? slot.settled : ZERO;
    const settled = left - room > 0n ? room : left;
    left = toCents(left - settled);
    return { ...slot, settled };
  });
}

/** The status that follows from what is settled and from the time, and the reminders that are due. */
function moved(slot: Slot, at: Date): Slot {
  const { status: was, settled, onTerms, dueAt, reminded } = slot;
  if (was === 'void') return slot;
  const days = dayOf(at) - dayOf(dueAt);
  const status = settled === onTerms ? 'paid' : days > 0 ? 'overdue' : 'open';
  return {
    ...slot,
    status,
    paidEvents: slot.paidEvents + (status === 'paid' && was !== 'paid' ? 1 : 0),
    overdueEvents: slot.overdueEvents + (status === 'overdue' && was !== 'overdue' ? 1 : 0),
    reminded: status === 'paid' ? reminded : Math.max(reminded, REMINDER_DAYS.filter((day) => days >= day).length),
  };
}

function mustSuspend(slots: readonly Slot[], { suspendDays, minOverdue }: OverdueTerms, at: Date): boolean {
  const late = slots.filter(({ status }) => status === 'overdue');
  if (suspendDays === undefined || late.length === 0) return false;
  const sum = late.reduce((all, { onTerms, settled }) => all + onTerms - settled, 0n);
  return sum > minOverdue && late.some(({ dueAt }) => dayOf(at) - dayOf(dueAt) >= suspendDays);
}

async function report(
  tx: Tx,
  { webhooks, notices }: SettleParts,
  partnerId: number,
  before: readonly Slot[],
  after: readonly Slot[],
  at: Date,
): Promise<void> {
  const changed = after.filter(
    ({ status, reminded }, i) => status !== before[i]?.status || reminded !== before[i]?.reminded,
  );
  if (changed.length === 0) return;
  const rows = await listInvoices(tx, { partnerId, ids: changed.map(({ id }) => id), limit: changed.length });
  const { mailTo } = await buyerOf(tx, partnerId);
  for (const row of rows.toReversed()) {
    const i = after.findIndex(({ id }) => id === row.id);
    const [was, is] = [before[i] as Slot, after[i] as Slot];
    const events = [
      ...(is.paidEvents > was.paidEvents ? [invoiceEvent('invoice.paid', row, is.paidEvents, at)] : []),
      ...(is.overdueEvents > was.overdueEvents ? [invoiceEvent('invoice.overdue', row, is.overdueEvents, at)] : []),
    ];
    if (events.length > 0) await webhooks.publish(tx, events);
    if (notices && is.reminded > was.reminded && is.status !== 'paid') {
      const facts = {
        number: row.number,
        to: mailTo,
        amount: formatCents(row.amountDue),
        due: is.dueAt.toISOString().slice(0, 10),
        days: String(dayOf(at) - dayOf(is.dueAt)),
      };
      await notices.noticeFor(tx, partnerId, 'invoice_reminder', facts, at.getTime());
    }
  }
}
