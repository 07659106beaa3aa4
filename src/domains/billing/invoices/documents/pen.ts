import bidiFactory, { type Bidi } from 'bidi-js';
import type PDFDocument from 'pdfkit';
import { Fonts, type Weight } from './fonts.ts';

/*
 * Writes single lines of text that may mix scripts and directions. pdfkit writes a text in one font and from left to right, word by word. So a line
 * is divided into runs of one font and one direction (by the Unicode Bidirectional Algorithm), the runs are put in the order in which
 * they stand on paper, and each is written as a whole. Within a run from right to left, fontkit joins and orders the letters.
 */
export interface Style {
  readonly size: number;
  readonly weight?: Weight;
  readonly color?: string;
}

interface Run {
  readonly text: string;
  readonly font: string;
  readonly level: number;
  readonly width: number;
}

/** Its types describe another format of the package than the one Node loads. */
const bidi = (bidiFactory as unknown as () => Bidi)();
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** Of most texts each character is its own cluster, and goes from left to right. */
const PLAIN = /^[\x20-\x7e]*$/;

/** One line of what can be shown: names come from outside, and control characters could turn the text around or hide part of it. */
export const shown = (text: string): string =>
  text
    .replaceAll(/(?![\u200c\u200d])\p{C}/gu, ' ')
    .replaceAll(/\p{Z}+/gu, ' ')
    .trim()
    .normalize();

export class Pen {
  readonly #pdf: typeof PDFDocument.prototype;
  readonly #fonts: Fonts;

  constructor(pdf: typeof PDFDocument.prototype) {
    this.#pdf = pdf;
    this.#fonts = new Fonts(pdf as never);
  }

  width(text: string, style: Style): number {
    return this.#runs(text, style).reduce((sum, { width }) => sum + width, 0);
  }

  /** Writes one line with its baseline at `y`; `align` says which end of the line `x` is. */
  write(text: string, x: number, y: number, style: Style, align: 'left' | 'right' = 'left'): void {
    const runs = this.#runs(text, style);
    let at = align === 'left' ? x : x - runs.reduce((sum, { width }) => sum + width, 0);
    this.#pdf.fillColor(style.color ?? '#000000');
    for (const run of inOrder(runs)) {
      this.#pdf.font(run.font).fontSize(style.size);
      this.#pdf.text(run.text, at, y, { lineBreak: false, baseline: 'alphabetic', ...features(run.text) });
      at += run.width;
    }
  }

  /** The lines of a text within `width`. A word that is longer than a line is broken. */
  wrap(text: string, width: number, style: Style): string[] {
    const lines: string[] = [];
    let line = '';
    for (const word of shown(text).split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (this.width(longer, style) <= width) {
        line = longer;
        continue;
      }
      if (line !== '') lines.push(line);
      line = word;
      while (this.width(line, style) > width) {
        const fits = this.#prefix(line, width, style);
        lines.push(fits);
        line = line.slice(fits.length);
      }
    }
    return line === '' ? lines : [...lines, line];
  }

  /** As much of `word` as fits, at least one letter with its marks. */
  #prefix(word: string, width: number, style: Style): string {
    let fits = '';
    for (const { segment } of new Intl.Segmenter('en').segment(word)) {
      if (fits !== '' && this.width(fits + segment, style) > width) break;
      fits += segment;
    }
    return fits;
  }

  #runs(text: string, { size, weight = 'regular' }: Style): Run[] {
    const measured = (run: Omit<Run, 'width'>): Run => {
      this.#pdf.font(run.font).fontSize(size);
      return { ...run, width: this.#pdf.widthOfString(run.text, features(run.text)) };
    };
    if (PLAIN.test(text))
      return text === '' ? [] : [measured({ text, font: this.#fonts.nameFor('a', weight, undefined), level: 0 })];
    const { levels } = bidi.getEmbeddingLevels(text);
    const runs: { text: string; font: string; level: number }[] = [];
    let at = 0;
    for (const character of text) {
      const level = levels[at] ?? 0;
      at += character.length;
      const before = runs.at(-1);
      const font = this.#fonts.nameFor(character, weight, before?.font);
      const mirrored = level % 2 === 1 ? (bidi.getMirroredCharacter(character) ?? character) : character;
      if (before && before.font === font && before.level === level) before.text += mirrored;
      else runs.push({ text: mirrored, font, level });
    }
    return runs.map((run) => measured(isTurned(run) ? { ...run, text: [...run.text].reverse().join('') } : run));
  }
}

/** From right to left, but without a letter that would tell fontkit so. */
const isTurned = ({ text, level }: Omit<Run, 'width'>): boolean => level % 2 === 1 && !RIGHT_TO_LEFT.test(text);

/** Without features pdfkit lays out word by word, from left to right. */
const features = (text: string): { features?: [] } => (RIGHT_TO_LEFT.test(text) ? { features: [] } : {});

/** Rule L2 of the algorithm: from the highest level down to the lowest odd one, neighbours of that level or above change places. */
function inOrder(runs: readonly Run[]): Run[] {
  const ordered = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--) {
    let from = 0;
    while (from < ordered.length) {
      let to = from;
      while (to < ordered.length && (ordered[to] as Run).level >= level) to += 1;
      ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = to + 1;
    }
  }
  return ordered;
}
