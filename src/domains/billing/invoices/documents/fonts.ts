import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';

/**
 * The fonts of our PDFs: Noto Sans and its relatives (SIL Open Font License) and Kosugi for Japanese (Apache License), from their npm packages.
 * A PDF embeds the glyphs it uses and nothing else. Each script is looked up in its own fonts first and then in all others; a character that none
 * of them has, such as a Korean one, is drawn as a box.
 */
export type Weight = 'regular' | 'bold';

interface FontSource {
  readonly script: RegExp;
  /** The file that may have the character, as a path of its package. */
  readonly fileFor: (codePoint: number, weight: Weight) => string | undefined;
}

const weights = { regular: 400, bold: 600 } as const;

const noto = (script: RegExp, family: string, part: string): FontSource => ({
  script,
  fileFor: (_codePoint, weight) => `@fontsource/${family}/files/${family}-${part}-${weights[weight]}-normal.woff`,
});

/** Latin characters, and what all scripts share. */
const LATIN = /\p{Script=Latin}|\p{Script=Common}|\p{Script=Inherited}/u;

const sources: readonly FontSource[] = [
  noto(LATIN, 'noto-sans', 'latin'),
  noto(LATIN, 'noto-sans', 'latin-ext'),
  noto(LATIN, 'noto-sans', 'vietnamese'),
  noto(/\p{Script=Greek}/u, 'noto-sans', 'greek'),
  noto(/\p{Script=Greek}/u, 'noto-sans', 'greek-ext'),
  noto(/\p{Script=Cyrillic}/u, 'noto-sans', 'cyrillic'),
  noto(/\p{Script=Cyrillic}/u, 'noto-sans', 'cyrillic-ext'),
  noto(/\p{Script=Devanagari}/u, 'noto-sans', 'devanagari'),
  noto(/\p{Script=Arabic}/u, 'noto-sans-arabic', 'arabic'),
  noto(/\p{Script=Hebrew}/u, 'noto-sans-hebrew', 'hebrew'),
  noto(/\p{Script=Thai}/u, 'noto-sans-thai', 'thai'),
  // It has one weight.
  {
    script: /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u,
    fileFor: (codePoint) => kosugi().get(codePoint),
  },
];

const read = (path: string): Buffer => readFileSync(new URL(import.meta.resolve(path)));

let kosugiFiles: ReadonlyMap<number, string> | undefined;

/** Kosugi comes in more than a hundred small files; its package says which characters are in which. */
function kosugi(): ReadonlyMap<number, string> {
  if (kosugiFiles) return kosugiFiles;
  const ranges = JSON.parse(read('@fontsource/kosugi/unicode.json').toString()) as Record<string, string>;
  const found = new Map<number, string>();
  for (const [name, list] of Object.entries(ranges)) {
    const path = `@fontsource/kosugi/files/kosugi-${name.replace(/[[\]]/g, '')}-400-normal.woff`;
    for (const range of list.split(',')) {
      const [from = 0, to = from] = range
        .replace('U+', '')
        .split('-')
        .map((hex) => Number.parseInt(hex, 16));
      for (let codePoint = from; codePoint <= to; codePoint++) found.set(codePoint, path);
    }
  }
  kosugiFiles = found;
  return found;
}

const files = new Map<string, Buffer>();

/** Files stay, but not what fontkit reads from them: it remembers for each glyph the first text it was used for. */
function fileAt(path: string): Buffer {
  const file = files.get(path) ?? unpackWoff(read(path));
  files.set(path, file);
  return file;
}

/** What we need of a PDF document, with the font as fontkit knows it. */
interface FontBook {
  registerFont(name: string, file: Buffer): unknown;
  font(name: string): unknown;
}
interface OpenedFont {
  readonly font: { hasGlyphForCodePoint(codePoint: number): boolean };
}

/** The fonts of one document, each read when a character first needs it. */
export class Fonts {
  readonly #pdf: FontBook;
  readonly #opened = new Map<string, OpenedFont>();
  readonly #found = new Map<string, string>();

  constructor(pdf: FontBook) {
    this.#pdf = pdf;
  }

  /** The name of the font for `character`. Signs that all scripts share stay in the font of the text before them, if it has them. */
  nameFor(character: string, weight: Weight, before: string | undefined): string {
    if (before !== undefined && staysIn(before, character) && this.#has(before, character)) return before;
    const key = `${weight} ${character}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const codePoint = character.codePointAt(0) ?? 0;
    const own = sources.filter(({ script }) => script.test(character));
    let name: string | undefined;
    for (const { fileFor } of [...own, ...sources]) {
      const file = fileFor(codePoint, weight);
      if (file === undefined || !this.#has(this.#open(file), character)) continue;
      name = file;
      break;
    }
    name ??= this.#open(sources[0]?.fileFor(codePoint, weight) as string);
    this.#found.set(key, name);
    return name;
  }

  #has(name: string, character: string): boolean {
    return this.#opened.get(name)?.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0) ?? false;
  }

  #open(file: string): string {
    if (this.#opened.has(file)) return file;
    this.#pdf.registerFont(file, fileAt(file));
    this.#pdf.font(file);
    this.#opened.set(file, (this.#pdf as unknown as { readonly _font: OpenedFont })._font);
    return file;
  }
}

/** Between Arabic words the spaces belong to one run with them; after Japanese, Latin signs look better in their own font. */
function staysIn(font: string, character: string): boolean {
  if (/[\da-z]/i.test(character) || (font.includes('kosugi') && character <= '~')) return false;
  return /\p{Script=Common}|\p{Script=Inherited}/u.test(character);
}

const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;
const SFNT_HEADER = 12;
const SFNT_ENTRY = 16;

/**
 * The same font with its tables unpacked. fontkit reads a WOFF file as it is, but unpacks a table again for every glyph it takes from it,
 * which makes drawing a page a hundred times slower.
 */
function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(SFNT_HEADER + count * SFNT_ENTRY);
  woff.copy(head, 0, 4, 8);
  const power = Math.floor(Math.log2(count));
  head.writeUInt16BE(count, 4);
  head.writeUInt16BE(2 ** power * SFNT_ENTRY, 6);
  head.writeUInt16BE(power, 8);
  head.writeUInt16BE((count - 2 ** power) * SFNT_ENTRY, 10);
  const tables: Buffer[] = [head];
  let end = head.length;
  for (let i = 0; i < count; i++) {
    const entry = WOFF_HEADER + i * WOFF_ENTRY;
    const [offset, packedLength, length] = [4, 8, 12].map((at) => woff.readUInt32BE(entry + at)) as [
      number,
      number,
      number,
    ];
    const packed = woff.subarray(offset, offset + packedLength);
    const table = packedLength < length ? inflateSync(packed) : packed;
    const written = SFNT_HEADER + i * SFNT_ENTRY;
    // Tag and checksum.
    woff.copy(head, written, entry, entry + 4);
    woff.copy(head, written + 4, entry + 16, entry + 20);
    head.writeUInt32BE(end, written + 8);
    head.writeUInt32BE(length, written + 12);
    // Tables begin at multiples of four.
    const padding = Buffer.alloc(-length & 3);
    tables.push(table, padding);
    end += length + padding.length;
  }
  return Buffer.concat(tables);
}
