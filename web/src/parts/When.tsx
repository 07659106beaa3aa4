import { createContext, useContext, useSyncExternalStore } from 'react';

/** The v3 API writes UTC as `2026-11-15 02:55:15`; the panel's own API uses ISO 8601. */
const parse = (text: string): Date => new Date(text.includes('T') ? text : `${text.replace(' ', 'T')}Z`);

export const utc = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ');

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Times further away than this are shown as dates. */
const NEAR = 24 * HOUR;
const TICK = MINUTE / 2;

const clock = { hour: '2-digit', minute: '2-digit' } as const;
const ofThisYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...clock });
const ofAnyYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', ...clock });

/** How far the account's clock is ahead of the real one, in milliseconds. Times of a sandbox are compared with its own. */
export const ClockAhead = createContext(0);

function subscribe(onTick: () => void): () => void {
  const timer = setInterval(onTick, TICK);
  return () => clearInterval(timer);
}

/** The time now, to the half minute; it moves while the page is open. */
const useNow = (): number =>
  useSyncExternalStore(subscribe, () => Math.floor(Date.now() / TICK)) * TICK + useContext(ClockAhead);

const localTime = (date: Date, now = Date.now()): string =>
  (date.getFullYear() === new Date(now).getFullYear() ? ofThisYear : ofAnyYear).format(date);

function relative(date: Date, now: number): string {
  const distance = date.getTime() - now;
  const away = Math.abs(distance);
  if (away < 1.5 * MINUTE) return distance > TICK ? 'in a minute' : 'just now';
  if (away >= NEAR) return localTime(date, now);
  const length = away < HOUR ? `${Math.round(away / MINUTE)} min` : `${Math.round(away / HOUR)} h`;
  return distance < 0 ? `${length} ago` : `in ${length}`;
}

interface WhenProps {
  at: string | null;
  never?: string;
  /** For sentences: always the date and the time. */
  exact?: boolean;
  /** For books, whose days and months are in UTC: written as in the API. */
  inUtc?: boolean;
}

/** A time: relative (“3 hours ago”) if less than a day away, else in the reader's time zone. Its tooltip has it in UTC. */
export function When({ at, never = '–', exact = false, inUtc = false }: WhenProps) {
  const now = useNow();
  if (at === null) return <span>{never}</span>;
  const date = parse(at);
  const [text, title] = inUtc
    ? [utc(date), `${localTime(date)}, your local time`]
    : [exact ? localTime(date, now) : relative(date, now), `${utc(date)} UTC`];
  return (
    <time className="num" dateTime={date.toISOString()} title={title}>
      {text}
    </time>
  );
}
