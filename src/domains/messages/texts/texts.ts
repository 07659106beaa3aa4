import { DAY, HOUR } from '../../../platform/clock.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { pt } from './pt.ts';
import type { Region, Texts } from './text.ts';
import { tr } from './tr.ts';
import { zh } from './zh.ts';

export { fill, type Texts } from './text.ts';

/** What travellers read, by language, in the order of the page's menu. The API answers with some of it, too. */
export const languages = { en, de, fr, es, it, pt, tr, ar, ja, zh } as const satisfies Record<string, Texts>;

export type Language = keyof typeof languages;

/** Amounts, times and places as a language writes them. */
interface Formats {
  data(mb: number): string;
  days(days: number): string;
  left(ms: number): string;
  /** In UTC, and says so: a server does not know where its reader is. */
  time(at: Date): string;
  /** Undefined: neither a country nor a region we have a name for. */
  place(code: string): string | undefined;
}

const MB_PER_GB = 1024;
const kept = new Map<Language, Formats>();

/** Made once per language: the tables behind them are large. */
export function formatsOf(language: Language): Formats {
  const known = kept.get(language) ?? createFormats(language);
  kept.set(language, known);
  return known;
}

function createFormats(language: Language): Formats {
  const { locale, regions } = languages[language];
  const unit = (name: string, unitDisplay: 'short' | 'long', maximumFractionDigits: number) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay, maximumFractionDigits });
  const [gigabytes, megabytes] = [unit('gigabyte', 'short', 2), unit('megabyte', 'short', 0)];
  const [days, hours] = [unit('day', 'long', 0), unit('hour', 'long', 0)];
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const countries = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' });
  return {
    data: (mb) => (mb < MB_PER_GB ? megabytes.format(mb) : gigabytes.format(mb / MB_PER_GB)),
    days: (count) => days.format(count),
    left: (ms) => (ms < 2 * DAY ? hours.format(Math.max(0, Math.floor(ms / HOUR))) : days.format(Math.floor(ms / DAY))),
    time: (at) => `${time.format(at)} UTC`,
    place: (code) =>
      /^[A-Z]{2}$/.test(code) ? countries.of(code) : Object.hasOwn(regions, code) ? regions[code as Region] : undefined,
  };
}
