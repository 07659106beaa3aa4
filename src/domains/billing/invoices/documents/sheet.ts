import { inflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import { type Cents, formatCents } from '../../../../platform/amounts/cents.ts';
import type { SiteLogo, SiteSettings } from '../../../../platform/settings/site.ts';
import type { Seller } from '../document.ts';
import { Pen, type Style, shown } from './pen.ts';

/** The operator's name, colour and logo, as on the public pages. */
export type DocumentBrand = Pick<SiteSettings, 'name' | 'color' | 'logo'>;

const POINTS = { width: 595.28, height: 841.89, margin: 48, foot: 62 } as const;
export const LEFT = POINTS.margin;
export const RIGHT = POINTS.width - POINTS.margin;
/** Below this line there is only the footer. */
export const BOTTOM = POINTS.height - POINTS.foot;
const TOP = 56;
const BAR_HEIGHT = 5;
const LOGO = { width: 180, height: 36 } as const;

/** The panel's colours: indigo 7, slate text, grey lines. */
const ACCENT = '#4263eb';
const colors = { text: '#1d232c', dimmed: '#5b6472', line: '#dee2e6', sandbox: '#c2410c' } as const;
export const LEADING = 13;
export const GAP = 16;
/** The left edges of the two parties, and of the facts beside them. */
const COLUMN = 172;
export const parties = { from: LEFT, to: LEFT + COLUMN, facts: LEFT + 2 * COLUMN } as const;
const VALUE_AT = 54;
export const body: Style = { size: 9, color: colors.text };
export const strong: Style = { ...body, weight: 'bold' };
export const dimmed: Style = { ...body, color: colors.dimmed };
export const label: Style = { size: 7.5, weight: 'bold', color: colors.dimmed };
const title: Style = { size: 18, weight: 'bold', color: colors.text };

export type Party = Pick<Seller, 'name' | 'address' | 'country'>;

interface Paper {
  readonly title: string;
  readonly number: string;
  readonly issuedAt: Date;
  readonly author: string;
  readonly isTest: boolean;
  readonly brand: DocumentBrand;
}

/** An A4 document of ours: its first page has the operator's logo and the title, and every page a footer with its number. */
export class Sheet {
  readonly pen: Pen;
  /** Where the next thing goes. */
  y = TOP;
  readonly #pdf: typeof PDFDocument.prototype;
  readonly #paper: Paper;
  readonly #accent: string;

  constructor(paper: Paper) {
    const { title: name, number, issuedAt, author, brand } = paper;
    this.#paper = paper;
    this.#accent = brand.color ?? ACCENT;
    this.#pdf = new PDFDocument({
      size: 'A4',
      margin: 0,
      // Page numbers say how many pages there are.
      bufferPages: true,
      // Without this pdfkit reads a standard font, which we do not use.
      font: '',
      lang: 'en',
      displayTitle: true,
      // The id of the file is a hash of this, so the same document has the same bytes.
      info: { Title: `${name} ${number}`, Author: shown(author), CreationDate: issuedAt, ModDate: issuedAt },
    });
    this.pen = new Pen(this.#pdf);
    this.#bar();
    this.#head();
  }

  /** Begins a new page if less than `height` is left on this one. */
  room(height: number): boolean {
    if (this.y + height <= BOTTOM) return false;
    this.#pdf.addPage();
    this.#bar();
    this.y = TOP;
    return true;
  }

  line(x = LEFT, y = this.y, color: string = colors.line): void {
    this.#pdf.moveTo(x, y).lineTo(RIGHT, y).lineWidth(0.7).strokeColor(color).stroke();
  }

  /** Lines one below the other; returns where the next would go. */
  block(lines: readonly string[], x: number, y: number, style: Style): number {
    for (const [i, line] of lines.entries()) this.pen.write(line, x, y + i * LEADING, style);
    return y + lines.length * LEADING;
  }

  /** A text over the whole width, on as many pages as it takes. */
  paragraph(text: string, style: Style): void {
    for (const line of text.split('\n').flatMap((one) => this.pen.wrap(one, RIGHT - LEFT, style))) {
      this.room(LEADING);
      this.y += LEADING;
      this.pen.write(line, LEFT, this.y - 4, style);
    }
  }

  /** Name, address and what else there is below it, at `x`; returns where the next thing below it would go. */
  party(heading: string, x: number, { name, address, country }: Party, ids: readonly string[] = []): number {
    const wrapped = (text: string, style = body) => this.pen.wrap(text, COLUMN - GAP, style);
    this.pen.write(heading, x, this.y, label);
    const below = this.block(wrapped(name, strong), x, this.y + LEADING + 2, strong);
    const rest = [...address, countryName(country)].flatMap((line) => wrapped(line));
    const idLines = ids.flatMap((line) => wrapped(line, dimmed));
    return this.block(idLines, x, this.block(rest, x, below, body), dimmed);
  }

  /** Labels with their values, beside the parties. */
  facts(facts: readonly (readonly [name: string, value: string])[]): number {
    let { y } = this;
    for (const [name, value] of facts) {
      this.pen.write(name, parties.facts, y, label);
      const lines = this.pen.wrap(value, RIGHT - parties.facts - VALUE_AT, body);
      y = this.block(lines, parties.facts + VALUE_AT, y, body) + 2;
    }
    return y;
  }

  async finished(): Promise<Uint8Array> {
    this.#footers();
    this.#pdf.end();
    const pieces: Buffer[] = [];
    for await (const piece of this.#pdf as unknown as AsyncIterable<Buffer>) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  #bar(): void {
    this.#pdf.rect(0, 0, POINTS.width, BAR_HEIGHT).fill(this.#accent);
  }

  #head(): void {
    const { brand, title: name, number, isTest } = this.#paper;
    if (!this.#logo(brand.logo)) {
      const [line = ''] = this.pen.wrap(brand.name, 260, { ...title, size: 16 });
      this.pen.write(line, LEFT, TOP + 16, { ...title, size: 16 });
    }
    this.pen.write(name, RIGHT, TOP + 16, title, 'right');
    this.pen.write(number, RIGHT, TOP + 32, dimmed, 'right');
    if (isTest)
      this.pen.write('Sandbox: a test document', RIGHT, TOP + 46, { ...label, color: colors.sandbox }, 'right');
    this.y = TOP + 76;
  }

  /** False: there is none that a PDF can show. */
  #logo(logo: SiteLogo | undefined): boolean {
    if (logo?.type !== 'image/png') return false;
    const bytes = Buffer.from(logo.bytes);
    if (!isDrawablePng(bytes)) return false;
    this.#pdf.image(bytes, LEFT, TOP, { fit: [LOGO.width, LOGO.height] });
    return true;
  }

  #footers(): void {
    const { start, count } = this.#pdf.bufferedPageRange();
    const { author, title: name, number } = this.#paper;
    const style = { ...dimmed, size: 7.5 };
    const y = POINTS.height - 32;
    const [whose = ''] = this.pen.wrap(`${name} ${number} · ${author}`, 400, style);
    for (let i = 0; i < count; i++) {
      this.#pdf.switchToPage(start + i);
      this.line(LEFT, y - 14);
      this.pen.write(whose, LEFT, y, style);
      this.pen.write(`Page ${i + 1} of ${count}`, RIGHT, y, style, 'right');
    }
  }
}

const SIGNATURE = '89504e470d0a1a0a';
/** Samples per pixel, by colour type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;
const LAST_FILTER = 4;

/**
 * Whether pdfkit can draw this PNG. It unpacks pictures with transparency on its own time and throws outside any handler, so this is
 * found out before. It depends on the file alone, so a document has its logo always or never.
 */
function isDrawablePng(file: Buffer): boolean {
  try {
    return hasWholePicture(file);
  } catch {
    return false;
  }
}

function hasWholePicture(file: Buffer): boolean {
  if (file.toString('hex', 0, 8) !== SIGNATURE || file.toString('latin1', 12, 16) !== 'IHDR') return false;
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const [depth = 0, colorType = 0, , , interlace = 0] = file.subarray(24, 29);
  const samples = SAMPLES[colorType];
  const chunks = chunksOf(file);
  const hasPalette = chunks.some(({ type }) => type === 'PLTE');
  if (samples === undefined || width === 0 || height === 0 || interlace !== 0 || (colorType === 3 && !hasPalette))
    return false;
  const row = 1 + Math.ceil((width * depth * samples) / 8);
  if (row * height > MAX_UNPACKED_BYTES) return false;
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const pixels = inflateSync(packed, { maxOutputLength: row * height });
  if (pixels.length !== row * height) return false;
  for (let at = 0; at < pixels.length; at += row) if ((pixels[at] ?? 0) > LAST_FILTER) return false;
  return true;
}

function chunksOf(file: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; ; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    if (at + 12 + length > file.length) throw new Error('the file ends too early');
    chunks.push({ type, data: file.subarray(at + 8, at + 8 + length) });
    if (type === 'IEND') return chunks;
    at += 12 + length;
  }
}

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
const months = 'January February March April May June July August September October November December'.split(' ');

const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : '');

/** 1 December 2026, in UTC like everything we count by the day. */
export const longDate = (date: Date): string =>
  `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;

/** Of `2026-11`: November 2026. */
export function longMonth(month: string): string {
  const [year = '', ofYear = ''] = month.split('-');
  return `${months[Number(ofYear) - 1]} ${year}`;
}

/** 1,234.50, with a minus sign as wide as a digit. */
export const money = (amount: Cents): string =>
  formatCents(amount)
    .replace('-', '−')
    .replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** 19.00 is 19, 7.70 is 7.7. */
export const plainRate = (rate: string): string => (rate.includes('.') ? rate.replace(/\.?0+$/, '') : rate);
