import { type Html, html } from '../site/html.ts';
import { type Language, languages } from '../traveller-texts/traveller-texts.ts';

/** A code to copy: with the button, or by a tap, which selects all of it. */
export function codeRow(language: Language, name: string, code: string): Html {
  const { copy, copied } = languages[language].manual;
  return html`<div><dt>${name}</dt><dd><code dir="ltr">${code}</code><button type="button" data-copy="${code}" data-done="${copied}"><span>${copy}</span><span class="vh">${name}</span></button></dd></div>`;
}
