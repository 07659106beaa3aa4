import { createHash } from 'node:crypto';
import { fill, formatsOf, type Language, languages, type Texts } from '../../domains/messages/texts/texts.ts';
import type { Brand } from '../../domains/travellers/travellers.ts';
import { SECOND } from '../../platform/clock.ts';
import { Html, html } from '../../platform/contract/html.ts';
import { brandStyle } from '../../platform/contract/palette.ts';
import { DEFAULT_COLOR } from '../../platform/settings/site.ts';
import { fontFace } from '../site/pages/files.ts';
import { connectCard, installCard } from './install.ts';
import { hashOf, icons, style } from './style.ts';
import { OLD_AFTER_MS, refillButton, usageCard } from './usage.ts';
import type { View } from './view.ts';

/**
 * All the page needs a script for: copying, times in the reader's own zone, and usage that stays current while the page is looked at.
 * Without it everything else works. A phone that shows something else asks for nothing.
 *
 * On a bad network an answer that does not come within 20 seconds is given up. Figures stay until better ones are there, and are
 * called old without a connection or after two failures. The next try comes after 10 seconds, then after twice as long each time, up to ten minutes; or at once when
 * the phone has a connection again.
 */
const script = `(()=>{
const d=document,r=d.documentElement,EVERY=120000,LIMIT=20000,SOON=5000,MOST=600000,OLD=${OLD_AFTER_MS / SECOND};
r.classList.add('js');
const local=within=>{for(const t of within.querySelectorAll('time'))try{
t.textContent=new Intl.DateTimeFormat(r.lang+'-u-nu-latn',{dateStyle:'medium',timeStyle:'short'}).format(new Date(t.dateTime))
}catch{}};
local(d);
const byHand=(text,beside)=>{const f=d.createElement('textarea');f.value=text;f.readOnly=true;beside.after(f);f.select();
try{return d.execCommand('copy')}catch{return false}finally{f.remove()}};
d.addEventListener('click',async({target})=>{const b=target.closest('[data-copy]');if(!b)return;
let copied=true;try{await navigator.clipboard.writeText(b.dataset.copy)}catch{copied=byHand(b.dataset.copy,b)}
if(!copied){getSelection().selectAllChildren(b.previousElementSibling);return}
const says=b.firstElementChild,was=says.textContent,done=b.dataset.done;b.focus();says.textContent=d.getElementById('said').textContent=done;
setTimeout(()=>{if(was!==done)says.textContent=was},2000)});
let asking=false,fails=0,next=0,since=Date.now();
const old=()=>{const a=d.getElementById('age');
if(a&&(fails>1||!navigator.onLine||+a.dataset.age+(Date.now()-since)/1000>OLD))a.classList.add('old')};
const ask=async()=>{const u=d.getElementById('usage'),from=u&&u.dataset.from;
if(!from||d.hidden||asking||Date.now()<next)return;asking=true;
const c=new AbortController(),late=setTimeout(()=>c.abort(),LIMIT);
try{const a=await fetch(from,{signal:c.signal});if(!a.ok)throw a.status;
const t=d.createElement('template');t.innerHTML=await a.text();const n=t.content.getElementById('usage');if(!n)throw 0;
local(n);const f=u.contains(d.activeElement);u.replaceWith(n);if(f)d.getElementById('refill')?.focus();fails=0;since=Date.now()}catch{fails++}
clearTimeout(late);asking=false;next=Date.now()+(fails?Math.min(SOON*2**fails,MOST):EVERY);old()};
ask();setInterval(()=>{old();ask()},SOON);d.addEventListener('visibilitychange',ask);addEventListener('online',()=>{next=0;ask()});
})()`;

export interface Page {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function travellerPage(view: View): Page {
  const { shared, language } = view;
  const { brand } = shared;
  const texts: Texts = languages[language];
  const place = placeOf(view);
  const flag = flagOf(shared.countryCode);
  const body = html`<div class="wrap">
<header>${brandMark(brand, view.path)}${languageMenu(language)}</header>
<main>
${shared.isTest && html`<p class="notice">${texts.testNotice}</p>`}
<div class="grid"><div>
${pass(view, place, flag)}
${usageCard(view)}
</div><div>
${installCard(view)}
${!shared.isInstalled && refillButton(view, 'later')}
${shared.usage?.status !== 'expired' && connectCard(view)}
${view.path !== null && html`<a class="go plain" href="${view.path}/help?lang=${language}">${icons.help}${texts.help.button}</a>`}
${brand.supportUrl !== '' && supportLink(view)}
</div></div>
</main>
<footer><p>${texts.keepPrivate}</p><p>${texts.noTracking}</p></footer>
<p id="said" role="status"></p>
</div>`;
  return documentOf(view, fill(texts.title, { place }), body, brand.color, flag);
}

/** The partner's own help. */
export function supportLink({ shared: { brand }, language }: Pick<View, 'shared' | 'language'>): Html {
  const texts = languages[language];
  return html`<a class="go plain" href="${brand.supportUrl}" rel="noreferrer">${icons.chat}${
    brand.displayName === '' ? texts.support : fill(texts.supportOf, { name: brand.displayName })
  }</a>`;
}

/** What a link is about and from whom, without anything that belongs to the traveller alone. */
export function announcement(view: View): Page {
  const { shared, language } = view;
  const place = placeOf(view);
  const flag = flagOf(shared.countryCode);
  const body = html`<div class="wrap"><header>${brandMark(shared.brand, view.path)}</header><main>${pass(view, place, flag)}</main></div>`;
  const title = fill(languages[language].title, { place });
  return documentOf({ language, path: null }, title, body, shared.brand.color, flag);
}

/** One page for every link that does not work, whatever the reason: it depends on the language alone. */
export function missingPage(language: Language): Page {
  const { missing } = languages[language];
  const body = html`<main class="missing">${icons.lost}<h1>${missing.title}</h1><p>${missing.text}</p></main>`;
  return documentOf({ language, path: null }, missing.title, body, null, null);
}

export const placeOf = ({ shared, notes, language }: Pick<View, 'shared' | 'notes' | 'language'>): string =>
  formatsOf(language).place(shared.countryCode) ?? notes.place ?? shared.countryCode;

/** Served by the panel host itself. Regions get a globe. */
export const flagOf = (code: string): string | null =>
  /^[a-z0-9-]{2,40}$/i.test(code) ? `/flags/${code.toLowerCase()}.svg` : null;

/** The title of a plan usually names its data and days, which are no longer true once a refill was added. */
function pass({ shared, language }: View, place: string, flag: string | null): Html {
  const texts = languages[language];
  const formats = formatsOf(language);
  return html`<section class="pass">
<div class="to">${flag !== null && html`<img src="${flag}" alt="">`}<div><h1>${place}</h1>${shared.refills === 0 && html`<p><bdi>${shared.productTitle}</bdi></p>`}</div></div>
<dl><div><dt>${texts.data}</dt><dd>${shared.isUnlimited ? texts.unlimited : formats.data(shared.planMb)}</dd></div>
<div><dt>${texts.validity}</dt><dd>${formats.days(shared.day)}</dd></div></dl>
</section>`;
}

export function brandMark({ displayName, logo }: Brand, path: string | null): Html {
  const from =
    logo &&
    (path === null
      ? `data:${logo.type};base64,${logo.bytes.toString('base64')}`
      : `${path}/logo?v=${versionOf(logo.bytes)}`);
  if (from) return html`<div class="brand"><img src="${from}" alt="${displayName}"></div>`;
  return html`<div class="brand">${displayName === '' ? html`${icons.sim}eSIM` : displayName}</div>`;
}

const versionOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 8);

/** `query` is what an address has besides the language. */
export function languageMenu(current: Language, query = ''): Html {
  const links = Object.entries(languages).map(
    ([code, { name, locale, dir }]) =>
      html`<li><a href="?lang=${code}${query}" lang="${langOf(locale)}" dir="${dir}"${
        code === current && html` aria-current="true"`
      }>${name}</a></li>`,
  );
  const { name, language } = languages[current];
  return html`<details class="lang"><summary aria-label="${language}: ${name}">${icons.globe}${name}</summary><ul>${links}</ul></details>`;
}

/** Without the extension for digits, which says nothing about the language. */
const langOf = (locale: string): string => locale.replace(/-u-.*/, '');

/** Languages whose letters are all in our file of the typeface; others would be written in two. */
const writtenInInter: readonly Language[] = ['en', 'de', 'fr', 'es', 'it', 'pt'];

/** The page of an eSIM, or one with another style, which needs no script. */
export function documentOf(
  { language, path }: Pick<View, 'language' | 'path'>,
  title: string,
  body: Html,
  color: Brand['color'],
  icon: string | null,
  own = style,
): Page {
  const { locale, dir } = languages[language];
  // Without an address of its own there is nothing to fetch or to follow, and a preview's frame allows neither.
  const scripts = path === null || own !== style ? [] : [script];
  const face = path !== null && writtenInInter.includes(language) ? fontFace : undefined;
  const styles = [...(face === undefined ? [] : [face]), own, brandStyle(color ?? DEFAULT_COLOR)];
  const { text } = html`<!doctype html>
<html lang="${langOf(locale)}" dir="${dir}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex"><meta name="format-detection" content="telephone=no"><title>${title}</title>
<link rel="icon" href="${icon ?? '/flags/global.svg'}">${styles.map((text) => html`<style>${new Html(text)}</style>`)}${path === null && html`<base target="_blank">`}</head>
<body>${body}${scripts.map((code) => html`<script>${new Html(code)}</script>`)}</body></html>
`;
  return { text, headers: headersOf(styles, scripts) };
}

/** Nothing runs, loads or is requested except what is written here; no site may frame the page, learn its address or find it. */
export function headersOf(styles: readonly string[], scripts: readonly string[]): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${styles.map(hashOf).join(' ') || "'none'"}`,
      `script-src ${scripts.map(hashOf).join(' ') || "'none'"}`,
      "img-src 'self'",
      ...(styles.includes(fontFace) ? ["font-src 'self'"] : []),
      "connect-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex, nofollow',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    vary: 'accept-language, user-agent',
  };
}
