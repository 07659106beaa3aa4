/** The v3 API writes UTC as `2026-11-15 02:55:15`; the panel's own API uses ISO 8601. */
const parse = (text: string): Date => new Date(text.includes('T') ? text : `${text.replace(' ', 'T')}Z`);

export const utc = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ');

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/** A time in UTC, written as in the API, with the reader's local time as the tooltip. */
export function When({ at, never = '–' }: { at: string | null; never?: string }) {
  if (at === null) return <span>{never}</span>;
  const date = parse(at);
  return (
    <time className="num" dateTime={date.toISOString()} title={`${local.format(date)}, your local time`}>
      {utc(date)}
    </time>
  );
}
