import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Everything axe knows about WCAG up to level AA and good practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const everyRule = { type: 'tag', values: TAGS };
/** Themes differ in colours only. */
const colours = { type: 'rule', values: ['color-contrast'] };

/** Once per document: axe, evaluated because the content policy blocks scripts, and no transitions, half-way through which colours are faint. */
export async function prepare(page: Page): Promise<void> {
  await page.evaluate(`window.axe || (() => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }');
    document.adoptedStyleSheets = [still];
    ${axe}
  })()`);
}

export async function faults(page: Page, only: 'colours' | 'everything'): Promise<string[]> {
  const options = { runOnly: only === 'colours' ? colours : everyRule, resultTypes: ['violations'], preload: false };
  // What is behind a dialog cannot be reached while it is open.
  const shown = `[...document.querySelectorAll('[role=dialog]')].at(-1) ?? document`;
  return page.evaluate<
    string[]
  >(`axe.run(${shown}, ${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) =>
    id + ': ' + nodes.slice(0, 3).map(({ html, failureSummary, any }) =>
      html.slice(0, 160) + ' ' + (any[0]?.message ?? failureSummary)).join('; ') + (nodes.length > 3 ? ' and more' : '')))`);
}

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

/** The tab says which page it is, in which world. */
export const titleFaults = (page: Page, world: string | undefined): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const heading = document.querySelector('h1')?.textContent ?? '';
    const named = heading !== '' && document.title.includes(heading) && document.title.endsWith(' · Wayfare');
    return named && document.title.includes(${JSON.stringify(world ?? '')}) ? [] : ['the tab is called ' + document.title + ', the page ' + heading];
  })()`);
