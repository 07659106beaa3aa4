import { DAY, HOUR } from '../../../platform/clock.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en, type Texts } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { pt } from './pt.ts';
import { tr } from './tr.ts';
import { zh } from './zh.ts';

export type { Texts } from './en.ts';

/** What travellers read, by language, in the order of the page's menu. The API answers with some of it, too. */
export const languages = { en, de, fr, es, it, pt, tr, ar, ja, zh } as const satisfies Record<string, Texts>;

export type Language = keyof typeof languages;

/** `fill('{left} of {total}', { left: '1 GB', total: '3 GB' })` */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

const MB_PER_GB = 1024;
/** Their codes in UN M49, by which Unicode names them. */
const areas = {
  europe: '150',
  asia: '142',
  africa: '002',
  'north-america': '003',
  'latin-america': '419',
  caribbean: '029',
  oceania: '009',
};
const kept = new Map<Language, ReturnType<typeof createFormats>>();

/** Amounts, times and places as a language writes them. Made once per language: the tables behind them are large. */
export function formatsOf(language: Language) {
  const known = kept.get(language) ?? createFormats(language);
  kept.set(language, known);
  return known;
}

function createFormats(language: Language) {
  const { locale, regions } = languages[language];
  const unit = (name: string, unitDisplay: 'short' | 'long', maximumFractionDigits: number) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay, maximumFractionDigits });
  const [gigabytes, megabytes] = [unit('gigabyte', 'short', 2), unit('megabyte', 'short', 0)];
  const [days, hours] = [unit('day', 'long', 0), unit('hour', 'long', 0)];
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const countries = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' });
  const areaNames = Object.entries(areas).map(([code, area]) => [code, countries.of(area)] as const);
  const names = new Map([...areaNames, ...Object.entries(regions)]);
  return {
    data: (mb: number) => (mb < MB_PER_GB ? megabytes.format(mb) : gigabytes.format(mb / MB_PER_GB)),
    days: (count: number) => days.format(count),
    left: (ms: number) =>
      ms < 2 * DAY ? hours.format(Math.max(0, Math.floor(ms / HOUR))) : days.format(Math.floor(ms / DAY)),
    /** In UTC, and says so: a server does not know where its reader is. */
    time: (at: Date) => `${time.format(at)} UTC`,
    /** Undefined: neither a country nor a region we have a name for. */
    place: (code: string) => (/^[A-Z]{2}$/.test(code) ? countries.of(code) : names.get(code)),
  };
}
