const long = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat('en-GB', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' });
const DAY_MS = 24 * 60 * 60_000;

/** `2026-11` is "November 2026". */
export const monthName = (month: string): string => long.format(new Date(`${month}-01T00:00:00Z`));

/** The first and last day of a time that ends with the beginning of the next. */
export const daysOf = ({ from, to }: { from: string; to: string }): string =>
  `${day.format(new Date(from))} to ${day.format(new Date(Date.parse(to) - DAY_MS))}`;

export const isMonth = (text: string): boolean => /^20\d{2}-(0[1-9]|1[0-2])$/.test(text);
