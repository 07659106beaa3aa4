import type { Point } from '../../parts/charts/series.ts';

type Step = 'hour' | 'day' | 'month';

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
const [day, dayInFull, hour, month, monthInFull] = [
  format({ day: 'numeric', month: 'short' }),
  format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
  format({ hour: '2-digit', minute: '2-digit' }),
  format({ month: 'short', year: '2-digit' }),
  format({ month: 'long', year: 'numeric' }),
];

/** Names the hours, days or months of a chart, in UTC. */
export const pointsOf = (per: Step, beginnings: readonly { readonly at: string }[]): Point[] =>
  beginnings.map(({ at }) => pointAt(per, new Date(at)));

function pointAt(per: Step, at: Date): Point {
  switch (per) {
    case 'hour': {
      const time = hour.format(at);
      return { name: `${dayInFull.format(at)}, ${time}`, short: time === '00:00' ? day.format(at) : time };
    }
    case 'day':
      return { name: dayInFull.format(at), short: day.format(at) };
    case 'month':
      return { name: monthInFull.format(at), short: month.format(at) };
  }
}

export const stepLabel = { hour: 'Hour (UTC)', day: 'Day (UTC)', month: 'Month (UTC)' } as const;
