import { Marked } from 'marked';
import { Html } from '../../platform/contract/html.ts';
import { block } from './prose.ts';

/** What a heading is linked by. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-');

const markdown = new Marked({
  renderer: {
    code: ({ text }) => block(text).text,
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
  },
});

/**
 * A text of ours or of the operator's: what it has of HTML is kept, and the content policy runs no script in it. Code and tables can be
 * scrolled with a keyboard.
 */
export const htmlOf = (text: string): Html =>
  new Html(
    markdown
      .parse(text, { async: false })
      .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>'),
  );
