import { LRUCache } from 'lru-cache';
import { encode } from 'uqr';
import { type Language, languages } from '../../domains/messages/texts/texts.ts';
import { androidInstallUrl, appleInstallUrl } from '../../domains/supply/port/port.ts';
import { Html, html } from '../../platform/contract/html.ts';
import { icons } from './style.ts';
import type { View } from './view.ts';

/** Modules of white around the code, which scanners need. */
const QUIET = 4;
/** Drawing a code takes ten times as long as the rest of the page, so those of the last pages are kept: about 4 kB each. */
const drawn = new LRUCache<string, { side: number; runs: string }>({ maxSize: 2_000, sizeCalculation: () => 1 });

/** An inline SVG, one line per run of dark modules: about a third of the usual size. */
function qrCode(text: string, label: Html): Html {
  const { side, runs } = drawn.get(text) ?? draw(text);
  return new Html(
    `<svg class="qr" viewBox="0 0 ${side} ${side}" role="img" aria-label="${label.text}" shape-rendering="crispEdges">` +
      `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path stroke="#000" d="${runs}"/></svg>`,
  );
}

function draw(text: string) {
  const { data, size } = encode(text, { border: 0, ecc: 'M' });
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ index, 0: run }) => `M${index + QUIET} ${y + QUIET}.5h${run.length}`),
  );
  const code = { side: size + 2 * QUIET, runs: runs.join('') };
  drawn.set(text, code);
  return code;
}

/** Both lead straight to the phone's own installer. */
const installUrl = { iphone: appleInstallUrl, android: androidInstallUrl } as const;

const phones = ['iphone', 'android'] as const;
const names = { iphone: 'iPhone', android: 'Android' } as const;

/** How the eSIM gets onto the phone: one tap, the QR code, or by hand. Folded away once it is in use. */
export function installCard(view: View): Html {
  const { shared, language, device } = view;
  const { install, qr } = languages[language];
  const onPhone = device !== 'other';
  const code = qrCode(shared.esim.activationCode, html`${qr.label}`);
  const body = html`<p class="note">${install.before}</p>
${!onPhone && html`<div class="fold"><h3>${qr.title}</h3><p class="note">${qr.scan}</p>${code}</div><div class="hr"></div>`}
${phoneChoice(view)}
${!shared.isInstalled && view.path !== null && html`<details class="fold"><summary><h3>${languages[language].device.title}</h3></summary>${deviceForm(view)}</details>`}
${onPhone && html`<details class="fold"><summary><h3>${qr.title}</h3></summary><p class="note">${qr.elsewhere}</p>${code}</details>`}
${manual(view)}`;
  return shared.isInstalled
    ? html`<details class="card"><summary><h2>${install.again}</h2></summary>${body}</details>`
    : html`<section class="card"><h2>${install.title}</h2>${body}</section>`;
}

/** Two radio buttons that show one of two lists: the switch needs neither a script nor another request. */
function phoneChoice({ shared, language, device, path }: View): Html {
  const { install } = languages[language];
  const chosen = device === 'android' ? 'android' : 'iphone';
  const choice = (phone: (typeof phones)[number]) =>
    html`<input type="radio" name="phone" id="${phone}"${phone === chosen && html` checked`}><label for="${phone}"><span>${names[phone]}</span></label>`;
  // `ping` counts the tap without a script and without a detour: a link through a redirect is one that iPhones open as a web page.
  const ping = path !== null && html` ping="${path}/installs"`;
  const steps = (phone: (typeof phones)[number]) => html`<div class="${phone}">
<a class="go${device === 'other' && ' plain'}" href="${installUrl[phone](shared.esim.activationCode)}"${ping} rel="noreferrer">${icons.download}${install[phone].button}</a>
<p class="soft">${install[phone].needs}</p>
<ol>${install[phone].steps.map((step) => html`<li>${step}</li>`)}</ol></div>`;
  return html`<fieldset class="phones"><legend>${install.phone}</legend>${phones.map(choice)}${phones.map(steps)}</fieldset>`;
}

function manual({ shared: { esim }, language }: View): Html {
  const texts = languages[language].manual;
  return html`<details class="fold"><summary><h3>${texts.title}</h3></summary><dl class="codes">
${codeRow(language, texts.smdp, esim.smdpAddress)}
${esim.matchingId !== null && codeRow(language, texts.activation, esim.matchingId)}
${esim.confirmationCode !== null && codeRow(language, texts.confirmation, esim.confirmationCode)}
${codeRow(language, texts.whole, esim.activationCode)}
${codeRow(language, 'ICCID', esim.iccid)}
</dl></details>`;
}

/** More is not typed by people, and is not looked for. */
export const MAX_MODEL = 60;

/** Asks for a phone's model. A form of its own address, so it works without a script. */
export function deviceForm({ language, path }: View, model = ''): Html {
  const { device } = languages[language];
  return html`<form class="find" action="${path}/device"><input type="hidden" name="lang" value="${language}">
<label>${device.model}<input name="model" maxlength="${MAX_MODEL}" required autocomplete="off" dir="auto" placeholder="Galaxy S24" value="${model}"></label>
<button class="go plain">${device.check}</button></form>`;
}

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

/** A code to copy: with the button, or by a tap, which selects all of it. */
function codeRow(language: Language, name: string, code: string): Html {
  const { copy, copied } = languages[language].manual;
  return html`<div><dt>${name}</dt><dd><code dir="ltr">${code}</code><button type="button" data-copy="${code}" data-done="${copied}"><span>${copy}</span><span class="vh">${name}</span></button></dd></div>`;
}
