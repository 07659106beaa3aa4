import { languages } from '../../domains/messages/texts/texts.ts';
import { type Html, html } from '../site/pages/html.ts';
import { codeRow } from './code-row.ts';
import { icons } from './icons.ts';
import type { View } from './view.ts';

/** Roaming, the APN, and what to try when nothing works. */
export function connectCard({ notes, language }: View): Html {
  const { connect } = languages[language];
  return html`<section class="card"><h2>${connect.title}</h2><ul class="hints">
<li>${icons.signal}<div>${notes.isRoaming === false ? connect.roamingOff : connect.roamingOn}</div></li>
<li>${icons.gear}<div>${
    notes.apn === null
      ? connect.apnAutomatic
      : html`${connect.apn}<dl class="codes">${codeRow(language, 'APN', notes.apn)}</dl>`
  }</div></li>
${notes.warning !== null && html`<li lang="en" dir="ltr">${icons.help}<div>${notes.warning}</div></li>`}
</ul><details class="fold"><summary><h3>${connect.trouble}</h3></summary><ol>${connect.tries.map((step) => html`<li>${step}</li>`)}</ol></details></section>`;
}
