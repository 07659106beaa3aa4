import { count } from '../parts/count.ts';

/** `250 ms`, `1.2 s`, `3 min`, `2 hours`, `5 days`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Number((ms / 1_000).toFixed(1))} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`;
  if (ms < 86_400_000) return count(Math.floor(ms / 3_600_000), 'hour');
  return count(Math.floor(ms / 86_400_000), 'day');
}

/** How long ago something was. A time ahead of this clock (other machines' clocks differ) counts as now. */
export const ago = (at: string): string => {
  const ms = Date.now() - Date.parse(at);
  return ms < 1_000 ? 'just now' : `${duration(Math.floor(ms / 1_000) * 1_000)} ago`;
};
