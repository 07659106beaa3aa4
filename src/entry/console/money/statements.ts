import type { SettledShare } from '../../../domains/billing/revenue-share/revenue-share.ts';
import { findPartner } from '../../../domains/partners/accounts/accounts.ts';
import { formatCents } from '../../../platform/amounts/cents.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { idOf } from '../../site/json/action.ts';
import { csvDownload, inPages } from '../../site/json/csv.ts';
import { filtersFrom, monthOf, requireTimeColumns, type TimeRange } from '../../site/json/filters.ts';
import { monthsOf, requireUnarchived, statementOf } from '../../site/views/money.ts';
import { type OperatorCall, operatorFile, operatorRead } from '../action.ts';

/** Rows read at once. */
const PAGE = 1_000;

/** What a month did to a partner's money, as its own panel shows it; and files of a month with every partner in them. */
export const statementActions = [
  operatorRead('/operator/api/money/statements/{id}', months),
  operatorRead('/operator/api/money/statements/{id}/{month}', async (call) =>
    statementOf(call.context.worlds.live, await partnerOf(call), call.params.month ?? '', call.now),
  ),
  operatorFile('/operator/api/money/movements.csv', movementsFile),
  operatorFile('/operator/api/money/settlements.csv', settlementsFile),
];

async function months(call: OperatorCall) {
  const { partnerId, name } = await partnerOf(call);
  const list = await monthsOf(call.context.worlds.live, partnerId, call.now);
  return { partner: { id: partnerId, name }, months: list };
}

async function partnerOf(call: OperatorCall) {
  try {
    return await findPartner(call.context.db, idOf(call));
  } catch (error) {
    throw error instanceof Refused ? new Refused('not_found', 'there is no partner with this id') : error;
  }
}

function requireMonth(call: OperatorCall): TimeRange {
  const range = filtersFrom(call, 'invalid_input').month(call.now);
  if (!range) throw new Refused('invalid_input', 'month must be a month like 2026-11');
  return range;
}

/** By the numbers of lines, like the statements: so every line is in exactly one month. */
async function movementsFile(call: OperatorCall) {
  const { ledger } = call.context.worlds.live;
  const range = requireMonth(call);
  const archivedUntil = await ledger.archivedUntil();
  requireUnarchived(archivedUntil && range.from < archivedUntil ? archivedUntil : null);
  const times = requireTimeColumns(call.query);
  async function* rows() {
    for await (const line of ledger.linesBetween(range))
      yield [
        ...[line.partnerId, line.name, line.id, ...times.cells(line.at), line.book, line.type, line.orderId, line.note],
        ...[formatCents(line.amount), formatCents(line.balanceAfter)],
      ];
  }
  const about = ['book', 'type', 'order_id', 'note', 'amount_usd', 'balance_after_usd'];
  return csvDownload(
    `movements-${monthOf(range.from)}`,
    ['partner_id', 'partner', 'id', ...times.header('date'), ...about],
    rows(),
  );
}

async function settlementsFile(call: OperatorCall) {
  const { shares } = call.context.worlds.live;
  const range = requireMonth(call);
  const times = requireTimeColumns(call.query);
  async function* rows() {
    const settled = inPages<SettledShare>((before) => shares.settled({ ...range, before, limit: PAGE }));
    for await (const share of settled)
      yield [
        ...[share.id, ...times.cells(share.settledAt), share.partnerId, share.partnerName, share.orderId],
        ...[share.unusedMb, share.sharePct, formatCents(share.amount)],
        ...[formatCents(share.settleDebt), formatCents(share.settleWallet)],
      ];
  }
  const about = ['partner_id', 'partner', 'order_id', 'unused_mb', 'share_pct', 'amount_usd'];
  return csvDownload(
    `settlements-${monthOf(range.from)}`,
    ['id', ...times.header('settled'), ...about, 'deducted_from_debt_usd', 'paid_to_wallet_usd'],
    rows(),
  );
}
