import { Marked } from 'marked';
import { Html, html } from '../../platform/contract/html.ts';
import { piecesOf } from './highlight.ts';
import { type Call, languages, sampleOf } from './reference/samples.ts';

/** The little Markdown that the API's description uses: paragraphs, lists, `code` and **bold**. */
export const prose = (text: string): Html[] =>
  text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) =>
      block.startsWith('- ')
        ? html`<ul>${block.split('\n').map((line) => html`<li>${inline(line.slice(2))}</li>`)}</ul>`
        : html`<p>${inline(block)}</p>`,
    );

/** Inside a line. */
export const inline = (text: string): Html[] =>
  text.split(/(`[^`]+`|\*\*.+?\*\*)/).map((part) => {
    if (part.startsWith('**')) return html`<strong>${inline(part.slice(2, -2))}</strong>`;
    return part.startsWith('`') ? html`<code>${part.slice(1, -1)}</code>` : html`${part}`;
  });

/** The same without marks, for titles and searches. */
export const plainText = (text: string): string => text.replaceAll(/[`*]/g, '').replaceAll(/\s+/g, ' ').trim();

/** At most so much, whole words. */
export function shortened(text: string, most = 155): string {
  const plain = plainText(text);
  return plain.length <= most ? plain : `${plain.slice(0, plain.lastIndexOf(' ', most - 1))}…`;
}

/** A call in every language. Which one is seen is chosen without a script, and remembered with one. */
export const samples = (
  call: Call,
  legend: string,
): Html => html`<div class="samples"><fieldset><legend>${legend}</legend>
${languages.map(
  (language, i) =>
    html`<input type="radio" name="language" value="${language}" id="in-${language}"${i === 0 && html` checked`}><label for="in-${language}">${language}</label>`,
)}
${languages.map((language) => html`<div class="sample">${block(sampleOf(language, call))}</div>`)}</fieldset></div>`;

export const block = (code: string): Html =>
  html`<pre tabindex="0"><code>${piecesOf(code).map(({ text, kind }) => (kind === undefined ? text : html`<i class="${kind}">${text}</i>`))}</code></pre>`;

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
