import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { readConfig } from '../../../../src/platform/settings/config.ts';

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Everything axe knows about WCAG up to level AA and good practice. */
const everyRule = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
const contrast = { type: 'rule', values: ['color-contrast'] };
/** Given to the texts whose contrast axe looks at. */
const UNKNOWN = 'data-unknown-look';

/** What is behind a dialog cannot be reached while it is open. */
const shown = `([...document.querySelectorAll('[role=dialog]')].at(-1) ?? document)`;
/**
 * All visible texts below an element, by what they look like: their colour, size and place, and every background up to the page's.
 * Texts that look the same have the same contrast, as the rows of a list, or the navigation on all pages; contrast takes axe
 * as long as all the rest.
 */
const textsByLook = `((below) => {
  const looks = new Map();
  const hash = (text) => {
    let [a, b] = [0xdeadbeef, 0x41c6ce57];
    for (let i = 0; i < text.length; i++) {
      a = Math.imul(a ^ text.charCodeAt(i), 2654435761);
      b = Math.imul(b ^ text.charCodeAt(i), 1597334677);
    }
    return (a >>> 0).toString(36) + (b >>> 0).toString(36);
  };
  const lookOf = (it) => {
    if (it === null) return '';
    if (!looks.has(it)) {
      const style = getComputedStyle(it);
      const classes = (it.getAttribute('class') ?? '').replace(/__m__\\S+/g, '');
      const isOff = it.disabled || it.control?.disabled || it.getAttribute('aria-disabled');
      looks.set(it, hash([lookOf(it.parentElement), it.tagName, classes, isOff, style.color, style.backgroundColor, style.backgroundImage,
        style.opacity, style.filter, style.textShadow, style.fontSize, style.fontWeight, style.position].join()));
    }
    return looks.get(it);
  };
  const hasText = (it) => it.matches('input, select, textarea') ||
    [...it.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '');
  const texts = new Map();
  for (const it of below.querySelectorAll('*')) {
    if (!hasText(it) || !it.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const look = lookOf(it);
    texts.set(look, [...(texts.get(look) ?? []), it]);
  }
  return texts;
})`;
/** Texts that axe has found readable. Those it could not judge, because something covered them, are tried again. */
const readable = new Set<string>();

/** Once per document: axe, evaluated because the content policy blocks scripts, and no transitions, half-way through which colours are faint. */
export async function prepare(page: Page): Promise<void> {
  await page.evaluate(`window.axe || (() => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }');
    document.adoptedStyleSheets = [still];
    ${axe};
    axe.configure({ rules: [{ id: 'color-contrast', selector: '[${UNKNOWN}]' }] });
  })()`);
}

/** What axe finds. Themes differ in colours only. */
export async function faults(page: Page, only: 'colours' | 'everything'): Promise<string[]> {
  const looks = await page.evaluate<string[]>(`[...(window.textsByLook = ${textsByLook}(${shown})).keys()]`);
  const unknown = looks.filter((look) => !readable.has(look));
  if (unknown.length === 0 && only === 'colours') return [];
  const options = {
    runOnly: only === 'colours' ? contrast : everyRule,
    resultTypes: ['violations', 'incomplete'],
    elementRef: true,
    preload: false,
    // A frame is a page of its own.
    iframes: false,
  };
  const { told, doubtful } = await page.evaluate<{ told: string[]; doubtful: string[] }>(`(async () => {
    const unknown = new Map(${JSON.stringify(unknown)}.flatMap((look) => {
      const texts = window.textsByLook.get(look);
      return [texts[0], texts.at(-1)].map((it) => [it, look]);
    }));
    for (const it of unknown.keys()) it.setAttribute('${UNKNOWN}', '');
    const { violations, incomplete } = await axe.run(${shown}, ${JSON.stringify(options)});
    for (const it of unknown.keys()) it.removeAttribute('${UNKNOWN}');
    const told = violations.map(({ id, nodes }) =>
      id + ': ' + nodes.slice(0, 3).map(({ html, failureSummary, any }) =>
        html.slice(0, 160) + ' ' + (any[0]?.message ?? failureSummary)).join('; ') + (nodes.length > 3 ? ' and more' : ''));
    const doubtful = [...violations, ...incomplete].filter(({ id }) => id === 'color-contrast')
      .flatMap(({ nodes }) => nodes.flatMap(({ element }) => unknown.get(element) ?? []));
    return { told, doubtful };
  })()`);
  const isDoubtful = new Set(doubtful);
  for (const look of unknown) if (!isDoubtful.has(look)) readable.add(look);
  return told;
}

/** What stands over the edge of the header: there is no room for it in one line. */
export const overHeader = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const header = document.querySelector('header');
    const edge = header?.getBoundingClientRect();
    return [...(header?.querySelectorAll('*') ?? [])].filter((it) => {
      const { top, bottom, left, right } = it.getBoundingClientRect();
      return top < edge.top - 1 || bottom > edge.bottom + 1 || left < edge.left - 1 || right > edge.right + 1;
    }).slice(0, 3).map((it) => 'over the edge of the header: ' + it.outerHTML.slice(0, 120));
  })()`);

/** Whether anything makes the page scroll sideways. */
export const tooWide = (page: Page, width: number): Promise<string[]> =>
  page.evaluate<string[]>(`document.documentElement.scrollWidth <= ${width} ? [] : [
    document.documentElement.scrollWidth + ' px wide on a screen of ${width} px: ' +
    [...document.querySelectorAll('main *')].filter((it) => it.getBoundingClientRect().right > ${width} + 1).slice(0, 3)
      .map((it) => it.outerHTML.slice(0, 120)).join('; ')]`);

/**
 * What a finger could miss: smaller than 44 px in one direction. A link within a sentence is as high as its line; everything else
 * counts with its label.
 */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const LEAST = 43.5;
    const kinds = 'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=switch], [role=option]';
    const isInSentence = (it) => it.matches('a') && getComputedStyle(it).display === 'inline' &&
      [...it.parentElement.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '');
    const boxOf = (it) => [it, ...(it.labels ?? [])].map((part) => part.getBoundingClientRect()).reduce((a, b) => ({
      left: Math.min(a.left, b.left), right: Math.max(a.right, b.right), top: Math.min(a.top, b.top), bottom: Math.max(a.bottom, b.bottom) }));
    return [...document.querySelectorAll(kinds)].flatMap((it) => {
      const isShown = it.checkVisibility({ visibilityProperty: true }) && !it.closest('[inert], [aria-hidden=true], .skip') && !it.disabled;
      const box = boxOf(it);
      const [width, height] = [box.right - box.left, box.bottom - box.top];
      if (!isShown || isInSentence(it) || (width <= 1 && height <= 1) || (width >= LEAST && height >= LEAST)) return [];
      return ['only ' + Math.round(width) + ' × ' + Math.round(height) + ' px to touch: ' + it.outerHTML.slice(0, 160)];
    });
  })()`);

/** The names of all buttons and switches of the page that can be used. */
export const controls = (page: Page): Promise<string[]> =>
  page.evaluate<
    string[]
  >(`[...document.querySelectorAll('main button:not([role=tab]), main [role=switch], main input[type=file]')]
    .filter((it) => it.checkVisibility({ visibilityProperty: true }) && !it.disabled)
    .map((it) => it.getAttribute('aria-label') ?? it.textContent)
    // What opens the list of a field has no name of its own.
    .filter((name) => name !== '')`);

/** An operator's own name: only with it does a page that says ours stand out. */
export const { site: operators } = readConfig({ SITE_NAME: 'Nomad & Co' });

/** The tab says which page it is, in which world and whose. No page says our name in place of the operator's. */
export const nameFaults = (page: Page, world: string | undefined): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const name = document.querySelector('meta[name=site-name]').content;
    const heading = document.querySelector('h1')?.textContent ?? '';
    const named = heading !== '' && document.title.includes(heading) && document.title.endsWith(' · ' + name);
    const ours = [...document.body.querySelectorAll('*:not(pre, pre *, code, script)')].filter((it) =>
      [...it.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /\\bWayfare\\b/.test(node.textContent)));
    return [
      ...(named && document.title.includes(${JSON.stringify(world ?? '')}) ? [] : ['the tab is called ' + document.title + ', the page ' + heading]),
      ...(name === 'Wayfare' ? [] : ours.map((it) => 'says our name: ' + it.textContent.slice(0, 160))),
    ];
  })()`);
