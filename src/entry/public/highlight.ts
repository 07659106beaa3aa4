import { type Html, html } from '../site/pages/html.ts';

/**
 * Colours code without a script in the page and without knowing any grammar: comments, strings, numbers and the words that the
 * languages of our samples share. A keyword of one language that is a name in another gets the wrong colour, never the wrong text.
 */
const keywords =
  'async await break case catch class const continue curl def echo else except export fn for foreach from func function if import in interface let new None null of package print raise require return set sh try type use var while with true false True False nil';

const token = new RegExp(
  [
    String.raw`(?<c>(?<=^|\s)(?:#|//)(?![!{]).*$|/\*[\s\S]*?\*/)`,
    String.raw`(?<s>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|${'`'}(?:\\.|[^${'`'}\\])*${'`'})`,
    String.raw`(?<v>\$\{?\w+\}?)`,
    String.raw`(?<n>(?<![\w.])\d+(?:\.\d+)?(?![\w.]))`,
    String.raw`(?<k>(?<![\w.$-])(?:${keywords.replaceAll(' ', '|')})(?![\w-]))`,
  ].join('|'),
  'gm',
);

/** Class names are one letter each, because a page of examples has thousands of them. */
export function highlighted(code: string): Html[] {
  const parts: Html[] = [];
  let at = 0;
  for (const found of code.matchAll(token)) {
    const kind = Object.entries(found.groups ?? {}).find(([, text]) => text !== undefined)?.[0];
    parts.push(html`${code.slice(at, found.index)}<i class="${kind}">${found[0]}</i>`);
    at = found.index + found[0].length;
  }
  return [...parts, html`${code.slice(at)}`];
}
