/** A calendar month in UTC: `2026-11`. */
export type Month = string;

export const MONTH = /^(20\d\d)-(0[1-9]|1[0-2])$/;

export const monthOf = (at: Date | number): Month => new Date(at).toISOString().slice(0, 7);

export const beginningOf = (month: Month): Date => new Date(`${month}-01T00:00:00Z`);

/** As the database writes it: `2026-11-01`. */
export const dateOf = (month: Month): string => `${month}-01`;

export function monthAfter(month: Month): Month {
  const begin = beginningOf(month);
  return monthOf(begin.setUTCMonth(begin.getUTCMonth() + 1));
}
