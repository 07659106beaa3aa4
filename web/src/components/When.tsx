/** The API writes `2026-11-15 02:55:15` and means UTC, the panel's own answers are ISO 8601. */
const parse = (text: string): Date => new Date(text.includes('T') ? text : `${text.replace(' ', 'T')}Z`);

export const utc = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ');

/** A moment as the API writes it, in UTC; the reader's own time is its tooltip. */
export function When({ at, never = '–' }: { at: string | null; never?: string }) {
  if (at === null) return <span>{never}</span>;
  const date = parse(at);
  return (
    <time className="num" dateTime={date.toISOString()} title={`${date.toLocaleString()} your time`}>
      {utc(date)}
    </time>
  );
}
