import type { ShareRow } from '../../../domains/billing/revenue-share/revenue-share.ts';
import type { Book, Line } from '../../../domains/money/books/books.ts';
import { findPartner } from '../../../domains/partners/accounts/accounts.ts';
import { formatCents } from '../../../platform/amounts/cents.ts';
import type { Base } from '../../../worlds/base.ts';
import type { World } from '../../../worlds/world.ts';
import { requireMode } from '../../site/json/action.ts';
import { type Cell, csvDownload, inPages } from '../../site/json/csv.ts';
import { filtersFrom, rangeName, requireTimeColumns, type TimeRange } from '../../site/json/filters.ts';
import { lineView, monthsOf, requireUnarchived, statementOf } from '../../site/views/money.ts';
import { fields, type MemberCall, memberFile, memberRead } from '../member-action.ts';

const PER_PAGE = 50;
const MAX_PAGE = 1_000_000;

const LINES_VIEWED = {
  total: true,
  lines: fields('id', 'at', 'type', 'order_id', 'note', 'amount', 'balance_after'),
} as const;

const pageOf = (call: MemberCall) => {
  const filters = filtersFrom(call, 'ignored');
  return { limit: filters.limit(PER_PAGE), start: filters.page(MAX_PAGE) };
};

/** A page of a book. `total`: the lines on all of them. */
const linesView = (
  read: { readonly lines: readonly Line<string>[]; readonly total: number | undefined } | undefined,
) => ({
  lines: read?.lines.map(lineView) ?? [],
  total: read?.total ?? 0,
});

/** The wallet's movements, the account on invoice terms with the orders behind its lines, and what each month did to the partner's money. */
export const statementActions = ({ db, worlds }: Base) => [
  memberRead('/api/{mode}/statement', {
    may: 'see-money',
    viewed: LINES_VIEWED,
    async read(call) {
      const read = await worlds[requireMode(call)].books.statement(call.member.partnerId, pageOf(call));
      return linesView(read);
    },
  }),
  memberRead('/api/{mode}/movements', {
    may: 'see-money',
    viewed: LINES_VIEWED,
    async read(call) {
      const filter = { withPlayMoney: true };
      return linesView(await worlds[requireMode(call)].books.history(call.member.partnerId, pageOf(call), filter));
    },
  }),
  memberRead('/api/{mode}/statements', {
    may: 'see-money',
    viewed: fields('months'),
    async read(call) {
      return { months: await monthsOf(worlds[requireMode(call)], call.member.partnerId, call.now) };
    },
  }),
  memberRead('/api/{mode}/statements/{month}', {
    may: 'see-money',
    viewed: {
      ...fields('month', 'from', 'to', 'is_running', 'made_at'),
      partner: fields('id', 'name'),
      books: {
        ...fields('book', 'is_used', 'opening', 'closing', 'more'),
        groups: fields('type', 'is_increase', 'count', 'amount'),
        lines: fields('id', 'at', 'type', 'order_id', 'note', 'amount', 'balance_after'),
      },
    },
    async read(call) {
      const partner = await findPartner(db, call.member.partnerId);
      return statementOf(worlds[requireMode(call)], partner, call.params.month ?? '', call.now);
    },
  }),
];

/** Rows read at once. One such read takes a few milliseconds, however long the whole list is. */
const PAGE = 1_000;

/** Money as files, oldest first: `from` and `to` are days in UTC, `tz` adds a column with local times. */
export const moneyExportActions = ({ worlds }: Base) => [
  memberFile('/api/{mode}/movements.csv', {
    may: 'see-money',
    viewed: fields('id', 'date_utc', 'date_local', 'type', 'order_id', 'note', 'amount_usd', 'balance_after_usd'),
    file: async (call) => linesFile(worlds[requireMode(call)], call, 'wallet', 'movements', 'balance_after'),
  }),
  memberFile('/api/{mode}/statement.csv', {
    may: 'see-money',
    viewed: fields('id', 'date_utc', 'date_local', 'type', 'order_id', 'note', 'amount_usd', 'outstanding_after_usd'),
    file: async (call) => linesFile(worlds[requireMode(call)], call, 'debt', 'statement', 'outstanding_after'),
  }),
  memberFile('/api/{mode}/revenue-share.csv', {
    may: 'see-money',
    viewed: {
      ...fields('id', 'date_utc', 'date_local', 'settled_utc', 'settled_local', 'order_id', 'iccid'),
      ...fields('product_title', 'plan_mb', 'used_mb', 'unused_mb', 'share_pct', 'amount_usd', 'status'),
      ...fields('deducted_from_debt_usd', 'paid_to_wallet_usd'),
    },
    file: async (call) => sharesFile(worlds[requireMode(call)], call),
  }),
];

async function linesFile(world: World, call: MemberCall, book: Book, name: string, after: string) {
  const range = filtersFrom(call).range();
  const times = requireTimeColumns(call.query);
  const { partnerId } = call.member;
  const period = await world.books.period(partnerId, book, range.from, range.to);
  requireUnarchived(period.archivedUntil);
  async function* rows() {
    const lines = inPages<Awaited<ReturnType<World['books']['linesOf']>>[number]>((last) =>
      world.books.linesOf(partnerId, book, { ...period, first: last ? last.line + 1n : period.first }, PAGE),
    );
    for await (const { id, at, type, amount, balanceAfter, orderId, note } of lines) {
      const cells: Cell[] = [id, ...times.cells(at), type, orderId, note];
      yield [...cells, formatCents(amount), formatCents(balanceAfter)];
    }
  }
  const header = ['id', ...times.header('date'), 'type', 'order_id', 'note', 'amount_usd', `${after}_usd`];
  return csvDownload(rangeName(name, range), header, rows());
}

async function sharesFile({ books }: World, call: MemberCall) {
  const range = filtersFrom(call).range();
  const times = requireTimeColumns(call.query);
  async function* rows() {
    const shares = inPages<ShareRow>((last) => books.sharesAfter(call.member.partnerId, last?.id ?? 0n, PAGE));
    for await (const share of shares) {
      if (!isWithin(share.createdAt, range)) continue;
      yield [
        share.id,
        ...times.cells(share.createdAt),
        ...times.cells(share.settledAt),
        share.orderId,
        share.iccid,
        share.productTitle,
        share.planMb,
        share.usedMb,
        share.unusedMb,
        share.sharePct,
        formatCents(share.amount),
        share.status === 'settled' ? 'settled' : 'pending',
        formatCents(share.settleDebt),
        formatCents(share.settleWallet),
      ];
    }
  }
  const plan = ['order_id', 'iccid', 'product_title', 'plan_mb', 'used_mb', 'unused_mb', 'share_pct', 'amount_usd'];
  const settled = ['status', 'deducted_from_debt_usd', 'paid_to_wallet_usd'];
  const header = ['id', ...times.header('date'), ...times.header('settled'), ...plan, ...settled];
  return csvDownload(rangeName('revenue-share', range), header, rows());
}

const isWithin = (at: Date, { from, to }: TimeRange): boolean => at >= from && at < to;
