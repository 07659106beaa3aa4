import { count } from '../../../parts/count.ts';
import type { PlanView } from '../../api/catalog.ts';

type Named = Pick<PlanView, 'title' | 'data' | 'days' | 'is_refill'> & {
  readonly destination: { readonly title: string };
};

/**
 * A plan within its destination: its title without what the page says already, and with the data and days that sell it where the
 * title leaves them out.
 */
export function planName({ title, data, days, is_refill, destination }: Named): string {
  const inside = title.startsWith(destination.title) ? title.slice(destination.title.length) : title;
  const own = (is_refill ? inside.replace(/\brefill$/i, '') : inside).replace(/^[\s:,–-]+|[\s:,–-]+$/g, '');
  const named = own.toLowerCase().replaceAll(' ', '');
  return [
    own,
    named.includes(data.toLowerCase().replaceAll(' ', '')) ? '' : data,
    new RegExp(`\\b${days} ?day`, 'i').test(own) ? '' : count(days, 'day'),
  ]
    .filter((part) => part !== '')
    .join(', ');
}
