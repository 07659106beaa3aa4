import { unlinked } from '../../../platform/contract/site-address.ts';

const COLUMNS = 72;

/** One line without control or invisible characters, of a length that fits a subject: names come from outside. */
export function oneLine(text: string, max = 80): string {
  const line = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  const letters = [...line];
  return letters.length > max ? `${letters.slice(0, max - 1).join('')}…` : line;
}

/** A name that a person typed: no mail program makes a link of it, and it is too short for a message of its own. */
export const nameLine = (name: string): string => oneLine(unlinked(oneLine(name, 60)));

/** Paragraphs as plain text. A word that is longer than a line, such as a link, gets a line of its own and is never broken. */
export const layOut = (paragraphs: readonly string[]): string => `${paragraphs.map(wrap).join('\n\n')}\n`;

function wrap(paragraph: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || [...longer].length <= COLUMNS) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].join('\n');
}
