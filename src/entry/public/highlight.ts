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

export interface Piece {
  readonly text: string;
  /** One letter, because a page of examples has thousands of them; undefined: nothing special. */
  readonly kind?: string;
}

export function piecesOf(code: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const found of code.matchAll(token)) {
    const [kind = ''] = Object.entries(found.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    pieces.push({ text: code.slice(at, found.index) }, { text: found[0], kind });
    at = found.index + found[0].length;
  }
  return [...pieces, { text: code.slice(at) }];
}
