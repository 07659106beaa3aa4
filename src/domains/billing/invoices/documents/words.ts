import { type Cents, formatCents } from '../../../../platform/amounts/cents.ts';

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
const months = 'January February March April May June July August September October November December'.split(' ');

export const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : '');

/** 1 December 2026, in UTC like everything we count by the day. */
export const longDate = (date: Date): string =>
  `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;

/** Of `2026-11`: November 2026. */
export function longMonth(month: string): string {
  const [year = '', ofYear = ''] = month.split('-');
  return `${months[Number(ofYear) - 1]} ${year}`;
}

/** 1,234.50, with a minus sign as wide as a digit. */
export const money = (amount: Cents): string =>
  formatCents(amount)
    .replace('-', '−')
    .replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** 19.00 is 19, 7.70 is 7.7. */
export const plainRate = (rate: string): string => (rate.includes('.') ? rate.replace(/\.?0+$/, '') : rate);
