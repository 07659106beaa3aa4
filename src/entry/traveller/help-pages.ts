import { fill, languages } from '../../domains/messages/texts/texts.ts';
import { type HelpFacts, helpRequests, helpTable, refillLink } from '../../domains/travellers/travellers.ts';
import { type Html, html } from '../../platform/contract/html.ts';
import { type Device, devicesWith } from '../api/endpoints/catalog/devices.ts';
import { deviceForm, MAX_MODEL } from './install.ts';
import { brandMark, documentOf, flagOf, languageMenu, type Page, placeOf, supportLink } from './page.ts';
import { helpStyle, icons } from './style.ts';
import type { View } from './view.ts';

/*
 * The pages beside that of the eSIM: those of "It doesn't work", which are a question, an answer, and a form, and the list of phones. They
 * have no script, and say nothing about the eSIM that its own page does not show: neither the phone nor the country.
 */

const { decide, symptoms } = helpTable;
const { maxMessage } = helpRequests;

const names = { iphone: 'iPhone', android: 'Android' } as const;

/** What the phone shows. */
export function questionPage(view: View): Page {
  const { help } = languages[view.language];
  const choices = symptoms.map(
    (shows) => html`<li><a href="${addressOf(view, '', shows)}">${help.symptoms[shows]}</a></li>`,
  );
  return helpPage(
    view,
    help.button,
    html`<section class="card"><h1>${help.question}</h1><ul class="choices">${choices}</ul></section>`,
  );
}

/** The one step that fits. */
export function answerPage(view: View, facts: HelpFacts): Page {
  const { shows } = facts;
  const { help } = languages[view.language];
  const step = decide(facts);
  const { title, text } = help.steps[step];
  const isForPeople = step === 'paused' || step === 'removed' || step === 'plan_ended' || step === 'ask';
  const ask = html`<a class="go${!isForPeople && ' plain'}" href="${addressOf(view, '/ask', shows)}">${isForPeople ? help.ask.title : help.notSolved}</a>`;
  const body = html`<section class="card"><p class="soft">${help.symptoms[shows]}</p><h1>${title}</h1><p>${fill(text, { place: placeOf(view) })}</p>${details(view, step)}</section>
${step !== 'wait' && ask}`;
  return helpPage(view, title, body, { query: `&shows=${shows}`, isAnswer: true });
}

/** What belongs to some steps: settings to open, a code, a link. */
function details(view: View, step: ReturnType<typeof decide>): Html | false {
  const { language, notes, shared, device } = view;
  const { install, connect, manual, usage } = languages[language];
  const settings = (...which: readonly (0 | 1 | 2 | 3)[]) => {
    const list = (phone: keyof typeof names, also?: string) =>
      html`<ol>${which.map((n) => html`<li>${install[phone].steps[n]}</li>`)}${also !== undefined && html`<li>${also}</li>`}</ol>`;
    const also =
      step === 'turn_on_data' ? (notes.isRoaming === false ? connect.roamingOff : connect.roamingOn) : undefined;
    if (device !== 'other') return list(device, also);
    return html`<h2>${names.iphone}</h2>${list('iphone', also)}<h2>${names.android}</h2>${list('android', also)}`;
  };
  const toPage = (label: string) =>
    html`<a class="go" href="${view.path}?lang=${language}">${icons.download}${label}</a>`;
  if (step === 'install') return toPage(install.title);
  if (step === 'retry_install') return toPage(manual.title);
  if (step === 'already_installed') return settings(2);
  if (step === 'switch_on') return settings(2, 3);
  if (step === 'turn_on_data') return settings(3);
  if (step === 'set_apn')
    return html`<dl class="codes"><div><dt>APN</dt><dd><code dir="ltr">${notes.apn ?? ''}</code></dd></div></dl>`;
  if (step === 'add_data' && shared.takesRefills)
    return html`<a class="go" href="${refillLink(shared.brand.refillUrl, shared.esim.iccid)}" rel="noreferrer">${icons.plus}${usage.refill}</a>`;
  return false;
}

interface FormOf {
  readonly facts: HelpFacts;
  /** Names the form, and shows that it is ours. */
  readonly form: string;
  readonly mayReplace: boolean;
  /** What was typed, if it is shown again. */
  readonly email?: string;
  readonly message?: string;
  readonly problem?: 'invalidEmail' | 'tooLong' | 'sendAgain';
}

/** Asks a person for help; where the partner allows it, for a new eSIM. */
export function askPage(
  view: View,
  { facts: { shows }, form, mayReplace, email = '', message = '', problem }: FormOf,
): Page {
  const { help } = languages[view.language];
  const { ask, replace } = help;
  const hidden = html`<input type="hidden" name="form" value="${form}">`;
  const wrong =
    problem &&
    html`<p class="bad" role="alert">${problem === 'sendAgain' ? help.sendAgain : fill(ask[problem], { count: String(maxMessage) })}</p>`;
  const body = html`${
    mayReplace &&
    html`<section class="card"><h1>${replace.title}</h1><p>${replace.text}</p><form method="post" action="${addressOf(view, '/replace', shows)}">${hidden}<button class="go">${replace.button}</button></form></section>`
  }<section class="card"><h1>${ask.title}</h1><p>${ask.text}</p>${wrong}
<form method="post" action="${addressOf(view, '/ask', shows)}">${hidden}
<label>${ask.email}<input type="email" name="email" maxlength="254" autocomplete="email" dir="ltr" value="${email}"></label>
<label>${ask.message}<textarea name="message" rows="4" maxlength="${maxMessage}">${message}</textarea></label>
<button class="go">${ask.send}</button></form></section>
${view.shared.brand.supportUrl !== '' && supportLink(view)}`;
  return helpPage(view, ask.title, body, { query: `&shows=${shows}` });
}

/** How it ended. */
export function outcomePage(
  view: View,
  outcome: 'sent' | 'limit' | 'replaced' | 'replaceRequested' | 'notReplaced' | 'wait',
): Page {
  const { help } = languages[view.language];
  const { title, text } = outcome === 'wait' ? help.steps.wait : help[outcome];
  const ask = html`<a class="go" href="${addressOf(view, '/ask', 'other')}">${help.ask.title}</a>`;
  const body = html`<section class="card" role="status"><h1>${title}</h1><p>${text}</p></section>
${outcome === 'notReplaced' && ask}`;
  return helpPage(view, title, body);
}

const SHOWN = 12;

/** Which models of our list match, and how to be sure. */
export function devicePage(view: View, asked: string): Page {
  const { device } = languages[view.language];
  const model = asked.trim().slice(0, MAX_MODEL);
  const found = model === '' ? [] : nearestFirst(devicesWith(model), model);
  const rest = found.length - SHOWN;
  const result =
    model !== '' &&
    html`<section class="card" role="status"><h1>${found.length > 0 ? device.found : device.missing}</h1>
${found.length > 0 && html`<ul class="models" dir="ltr">${found.slice(0, SHOWN).map((one) => html`<li>${nameOf(one)}</li>`)}</ul>`}
${rest > 0 && html`<p>${fill(device.more, { count: String(rest) })}</p>`}
<p>${device.sure}</p></section>`;
  const body = html`${result}
<section class="card">${result ? html`<h2>${device.title}</h2>` : html`<h1>${device.title}</h1>`}${deviceForm(view, model)}</section>`;
  return helpPage(view, device.title, body, { query: model && `&model=${encodeURIComponent(model)}` });
}

/** Some makers' models begin with their name. */
const nameOf = ({ brand, model }: Device): string => (model.startsWith(brand) ? model : `${brand} ${model}`);

/** Who types “iPhone 15” means that one, not the Pro. */
const nearestFirst = (found: readonly Device[], asked: string): readonly Device[] =>
  found.toSorted((a, b) => Number(isExactly(b, asked)) - Number(isExactly(a, asked)));

const isExactly = (device: Device, asked: string): boolean =>
  [device.model, nameOf(device)].some((name) => name.toLowerCase() === asked.toLowerCase().replaceAll(/\s+/g, ' '));

const addressOf = ({ path, language }: View, below: '' | '/ask' | '/replace', shows: HelpFacts['shows']): string =>
  `${path}/help${below}?lang=${language}&shows=${shows}`;

function helpPage(
  view: View,
  title: string,
  body: Html,
  { query = '', isAnswer = false }: { query?: string; isAnswer?: boolean } = {},
): Page {
  const { shared, language, path } = view;
  const { help, testNotice } = languages[language];
  const all = html`<div class="wrap"><header>${brandMark(shared.brand, path)}${languageMenu(language, query)}</header>
<main>${shared.isTest && html`<p class="notice">${testNotice}</p>`}
${body}
<p class="more">${isAnswer && html`<a href="${path}/help?lang=${language}">${help.otherProblem}</a>`}<a href="${path}?lang=${language}">${help.back}</a></p>
</main></div>`;
  return documentOf(view, title, all, shared.brand.color, flagOf(shared.countryCode), helpStyle);
}
