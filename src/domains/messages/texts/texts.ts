import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { pt } from './pt.ts';
import type { Texts } from './text.ts';
import { tr } from './tr.ts';
import { zh } from './zh.ts';

export { fill, type Region, type Texts } from './text.ts';

/** What travellers read, by language, in the order of the page's menu. The API answers with some of it, too. */
export const languages = { en, de, fr, es, it, pt, tr, ar, ja, zh } as const satisfies Record<string, Texts>;

export type Language = keyof typeof languages;
