import { page } from '../../contract/fields.ts';

/** Paging of the account's lists: `start` is a 1-based page number; past the last page the list is empty. */
export const paging = { limit: page({ default: 50, max: 500 }), start: page({ default: 1, max: 1_000_000_000 }) };
