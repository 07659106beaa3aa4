import { type Language, languages } from '../../domains/messages/texts/texts.ts';
import { type Html, html } from '../site/pages/html.ts';

/** A code to copy: with the button, or by a tap, which selects all of it. */
export function codeRow(language: Language, name: string, code: string): Html {
  const { copy, copied } = languages[language].manual;
  return html`<div><dt>${name}</dt><dd><code dir="ltr">${code}</code><button type="button" data-copy="${code}" data-done="${copied}"><span>${copy}</span><span class="vh">${name}</span></button></dd></div>`;
}
