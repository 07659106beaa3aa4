import { told } from '../../contract/described.ts';
import { page } from '../../contract/fields.ts';

/** Paging of the account's lists: `start` is a 1-based page number; past the last page the list is empty. */
export const paging = {
  limit: told('Rows per page. Larger values are reduced to 500.', page({ default: 50, max: 500 })),
  start: told(
    'The page, counted from 1. Past the last page the list is empty.',
    page({ default: 1, max: 1_000_000_000 }),
  ),
};
