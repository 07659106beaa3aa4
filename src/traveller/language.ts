import { ar } from './languages/ar.ts';
import { de } from './languages/de.ts';
import { en } from './languages/en.ts';
import { es } from './languages/es.ts';
import { fr } from './languages/fr.ts';
import { it } from './languages/it.ts';
import { ja } from './languages/ja.ts';
import { pt } from './languages/pt.ts';
import { tr } from './languages/tr.ts';
import { zh } from './languages/zh.ts';
import type { Texts } from './texts.ts';

/** In the order of the menu. */
export const languages = { en, de, fr, es, it, pt, tr, ar, ja, zh } as const satisfies Record<string, Texts>;

export type Language = keyof typeof languages;

const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);
const MAX_RANGES = 30;

/** The language asked for in the address, or the browser's favourite among ours, or English. */
export function chooseLanguage(asked: string | null, acceptLanguage: string | undefined): Language {
  if (asked !== null && isLanguage(asked)) return asked;
  const ranges = (acceptLanguage ?? '').split(',', MAX_RANGES).map((range) => {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
    const weight = /^\s*q=([\d.]+)\s*$/.exec(parameters[0] ?? 'q=1')?.[1] ?? '0';
    return { language: tag.split('-')[0] ?? '', weight: Number(weight) || 0 };
  });
  const wanted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  return wanted.map(({ language }) => language).find(isLanguage) ?? 'en';
}
