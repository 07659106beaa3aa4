import { findPartner } from '../../../domains/partners/accounts/accounts.ts';
import type { Base } from '../../../worlds/base.ts';
import { requireMode } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { lineView, monthsOf, statementOf } from '../../site/views/statement.ts';
import { memberRead } from '../member-action.ts';
import { fields } from '../viewed.ts';

const PER_PAGE = 50;
const MAX_PAGE = 1_000_000;

/** The account on invoice terms with the orders behind its lines, and what each month did to the partner's money. */
export const statementActions = ({ db, worlds }: Base) => [
  memberRead('/api/{mode}/statement', {
    may: 'see-money',
    viewed: {
      has_more: true,
      lines: fields('id', 'at', 'type', 'order_id', 'note', 'amount', 'balance_after'),
    },
    async read(call) {
      const page = { limit: PER_PAGE, start: filtersFrom(call, 'ignored').page(MAX_PAGE) };
      const read = await worlds[requireMode(call)].books.statement(call.member.partnerId, page);
      return { lines: read?.lines.map(lineView) ?? [], has_more: read?.hasMore ?? false };
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
