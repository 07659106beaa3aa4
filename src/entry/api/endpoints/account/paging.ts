import type { BookedLine } from '../../../../domains/money/books/books.ts';
import { timestamp } from '../../../../platform/clock.ts';
import { described, said, utcTime } from '../../../../platform/contract/described.ts';
import { id, oneOfOrIgnored, page, time } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import type { Input } from '../../endpoint.ts';
import { referenceFilter } from '../purchase/fields.ts';

/** Paging of the account's lists: `start` is a 1-based page number; past the last page the list is empty. */
export const paging = {
  limit: described('Rows per page. Larger values are reduced to 500.', page({ default: 50, max: 500 })),
  start: described(
    'The page, counted from 1. Past the last page the list is empty.',
    page({ default: 1, max: 1_000_000_000 }),
  ),
};

/** What history and statement can be searched by. */
export const ledgerFields = {
  from: described('Only movements at this time or later. Without a zone it is UTC.', time('invalid_from')),
  to: described('Only movements before this time. Without a zone it is UTC.', time('invalid_to')),
  before_id: described(
    'Only movements with a smaller number; `start` is ignored then. Unlike page numbers, it never skips or repeats a movement when new ones arrive.',
    id('invalid_before_id'),
    { example: 5120 },
  ),
  order_id: described('Only movements of this order.', id('invalid_order_id'), { example: 1042 }),
  reference: described('Only movements of orders with exactly this reference.', referenceFilter, {
    example: 'booking-4711',
  }),
  sandbox_ledger: described(
    '`1` shows the movements of the play money. Without it, sandbox keys get an empty list; live keys ignore it.',
    oneOfOrIgnored(['1']),
  ),
};

export const lineFilterOf = ({ before_id, order_id, sandbox_ledger, ...same }: Input<typeof ledgerFields>) => ({
  ...same,
  beforeId: before_id,
  orderId: order_id,
  withPlayMoney: sandbox_ledger === '1',
});

/** What both lists say of the order behind a movement. */
export const ofOrder = {
  reference: said.text('Your own reference of the order it belongs to; may be empty.'),
  product_title: said.text('The plan that order bought; empty if it belongs to none.'),
};

export const ofOrderView = ({ reference, productTitle }: BookedLine<unknown>) => ({
  reference,
  product_title: productTitle,
});

export const moreMovements = said.boolean('Whether older movements follow.');

/** Only where the operator has archived a year: everybody else's answers are as they always were. */
export const archivedBefore = Type.Optional(
  utcTime(
    'Only if the operator has archived the books of past years: movements before this time are no longer listed. Ask the operator for them.',
  ),
);
export const archivedView = (archivedUntil: Date | null) =>
  archivedUntil === null ? {} : { archived_before: timestamp(archivedUntil) };

/** For a page that lies too far back to be found in time. */
export const reachedStart = Type.Optional(
  said.integer(
    'Only if the page asked for lies so far back that it was not reached in time: the number of the page that is shown instead.',
    20_001,
  ),
);
export const moreAfterReached = Type.Optional(said.boolean('Only beside `start`: whether older rows follow.', true));

/** These lists say whether more follows only if they show another page than was asked for. */
export const reachedView = (reached: number | undefined) =>
  reached === undefined ? {} : { start: reached, has_more: true };
