import { type Language, languages } from '../../domains/messages/texts/texts.ts';

const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);
const MAX_RANGES = 30;

/** The language asked for in the address, or the browser's favourite among ours, or English. */
export function chooseLanguage(named: string | null, acceptLanguage: string | undefined): Language {
  if (named !== null && isLanguage(named)) return named;
  const ranges = (acceptLanguage ?? '').split(',', MAX_RANGES).map((range) => {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
    const weight = /^\s*q=([\d.]+)\s*$/.exec(parameters[0] ?? 'q=1')?.[1] ?? '0';
    return { language: tag.split('-')[0] ?? '', weight: Number(weight) || 0 };
  });
  const wanted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  return wanted.map(({ language }) => language).find(isLanguage) ?? 'en';
}
