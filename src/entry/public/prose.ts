import { type Html, html } from '../site/pages/html.ts';

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
