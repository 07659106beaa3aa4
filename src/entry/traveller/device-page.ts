import { fill, languages } from '../../domains/messages/texts/texts.ts';
import { html } from '../../platform/contract/html.ts';
import { type Device, devicesWith } from '../api/endpoints/catalog/device-list.ts';
import { deviceForm, MAX_MODEL } from './install.ts';
import { brandMark, documentOf, flagOf, languageMenu, type Page } from './page.ts';
import { helpStyle } from './style.ts';
import type { View } from './view.ts';

const SHOWN = 12;

/** Which models of our list match, and how to be sure. */
export function devicePage(view: View, asked: string): Page {
  const { shared, language, path } = view;
  const { device, help, testNotice } = languages[language];
  const model = asked.trim().slice(0, MAX_MODEL);
  const found = model === '' ? [] : nearestFirst(devicesWith(model), model);
  const rest = found.length - SHOWN;
  const result =
    model !== '' &&
    html`<section class="card" role="status"><h1>${found.length > 0 ? device.found : device.missing}</h1>
${found.length > 0 && html`<ul class="models" dir="ltr">${found.slice(0, SHOWN).map((one) => html`<li>${nameOf(one)}</li>`)}</ul>`}
${rest > 0 && html`<p>${fill(device.more, { count: String(rest) })}</p>`}
<p>${device.sure}</p></section>`;
  const body = html`<div class="wrap"><header>${brandMark(shared.brand, path)}${languageMenu(language, model && `&model=${encodeURIComponent(model)}`)}</header>
<main>${shared.isTest && html`<p class="notice">${testNotice}</p>`}
${result}
<section class="card">${result ? html`<h2>${device.title}</h2>` : html`<h1>${device.title}</h1>`}${deviceForm(view, model)}</section>
<p class="more"><a href="${path}?lang=${language}">${help.back}</a></p>
</main></div>`;
  return documentOf(view, device.title, body, shared.brand.color, flagOf(shared.countryCode), helpStyle);
}

/** Some makers' models begin with their name. */
const nameOf = ({ brand, model }: Device): string => (model.startsWith(brand) ? model : `${brand} ${model}`);

/** Who types “iPhone 15” means that one, not the Pro. */
const nearestFirst = (found: readonly Device[], asked: string): readonly Device[] =>
  found.toSorted((a, b) => Number(isExactly(b, asked)) - Number(isExactly(a, asked)));

const isExactly = (device: Device, asked: string): boolean =>
  [device.model, nameOf(device)].some((name) => name.toLowerCase() === asked.toLowerCase().replaceAll(/\s+/g, ' '));
