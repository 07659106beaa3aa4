import { type Html, html } from '../site/pages/html.ts';
import { type Call, languages, sampleOf } from './reference/samples.ts';

/** A call in every language. Which one is seen is chosen without a script, and remembered with one. */
export const samples = (
  call: Call,
  legend: string,
): Html => html`<div class="samples"><fieldset><legend>${legend}</legend>
${languages.map(
  (language, i) =>
    html`<input type="radio" name="language" value="${language}" id="in-${language}"${i === 0 && html` checked`}><label for="in-${language}">${language}</label>`,
)}
${languages.map((language) => html`<div class="sample">${block(sampleOf(language, call))}</div>`)}</fieldset></div>`;

export const block = (code: string): Html => html`<pre tabindex="0"><code>${code}</code></pre>`;
