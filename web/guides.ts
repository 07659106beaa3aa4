import { basename } from 'node:path';
import { lexer, parser, type Token } from 'marked';
import type { Plugin } from 'vite';
import { slugOf } from '../src/entry/public/markdown.ts';
import { inOperatorsName } from '../src/entry/site/pages/guides.ts';

/** A guide as the page gets it: its title, and in order its texts and its code blocks, which get a copy button. */
export interface Guide {
  readonly title: string;
  readonly parts: readonly ({ readonly html: string } | { readonly code: string })[];
}

/** Markdown to a guide. Links to other guides lead to their pages. `{site}` stands for the operator's name, which only the page knows. */
export function guideOf(markdown: string): Guide {
  const tokens = lexer(
    inOperatorsName(markdown, '{site}')
      .replace(/\]\(([\w-]+)\.md(#[\w-]+)?\)/g, '](/reference/guides/$1$2)')
      .replaceAll('../img/', '/img/'),
  );
  const [first, ...rest] = tokens;
  const title = first?.type === 'heading' ? String(first.text) : '';
  const parts: ({ html: string } | { code: string })[] = [];
  let prose: Token[] = [];
  const flush = () => {
    if (prose.some(({ type }) => type !== 'space')) parts.push({ html: reachable(parser(prose)) });
    prose = [];
  };
  for (const token of rest) {
    if (token.type !== 'code') prose.push(token);
    else {
      flush();
      parts.push({ code: String(token.text) });
    }
  }
  flush();
  return { title, parts };
}

/** Headings can be linked to; tables, and code inside a list, can be scrolled with a keyboard. */
const reachable = (html: string): string =>
  html.replace(/<(table|pre)>/g, '<$1 tabindex="0">').replace(/<h(\d)>(.*?)<\/h\1>/g, (_, depth, text) => {
    const id = slugOf(text.replaceAll(/<[^>]*>/g, ''));
    return `<h${depth} id="${id}">${text}</h${depth}>`;
  });

/** Makes modules of docs/guides/*.md when the panel is built, so that no Markdown parser is sent to browsers. */
export const guides = (): Plugin => ({
  name: 'guides',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('.md') && basename(id) !== 'README.md'
      ? { code: `export const guide = ${JSON.stringify(guideOf(code))};`, map: null }
      : null,
});
