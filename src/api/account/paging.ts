import { Type } from 'typebox';
import { described } from '../../contract/described.ts';
import { page } from '../../contract/fields.ts';

/** Paging of the account's lists: `start` is a 1-based page number; past the last page the list is empty. */
export const paging = {
  limit: described('Rows per page. Larger values are reduced to 500.', page({ default: 50, max: 500 })),
  start: described(
    'The page, counted from 1. Past the last page the list is empty.',
    page({ default: 1, max: 1_000_000_000 }),
  ),
};

/** For a page that lies too far back to be found in time. */
export const reachedStart = Type.Optional(
  Type.Integer({
    description:
      'Only if the page asked for lies so far back that it was not reached in time: the number of the page that is shown instead.',
    examples: [20_001],
  }),
);
export const moreAfterReached = Type.Optional(
  Type.Boolean({ description: 'Only beside `start`: whether older rows follow.', examples: [true] }),
);

/** These lists say whether more follows only if they show another page than was asked for. */
export const reachedView = (reached: number | undefined) =>
  reached === undefined ? {} : { start: reached, has_more: true };
