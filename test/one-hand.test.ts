import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/*
 * The scale of everything we draw: the panel and the console, public pages, travellers' pages, the pay page and mails. A size or a
 * distance that is missing here is a reason to take the nearest one, not to add it.
 */

/** Font sizes in pixels, at a browser's usual size of text. */
const SIZES = [12, 13, 14, 16, 18, 22, 28, 36, 44];
/** Distances between things in pixels: paddings, margins and gaps. Larger ones are measures of a page's layout. */
const SPACES = [0, 1, 2, 4, 6, 8, 10, 12, 16, 20, 24, 28, 32, 40, 48, 64];
const LARGEST = 64;
/** The one blue, and those of code that is highlighted. */
const BLUES = ['#2f4fc4', '#8ab4ff'];

const files = [
  ...globSync('web/src/**/*.{css,ts,tsx}'),
  ...globSync('src/entry/{public,traveller}/*.ts'),
  'src/entry/site/pages/cards.ts',
  'src/domains/messages/mail/html-mail.ts',
  'src/platform/contract/palette.ts',
  'src/platform/settings/site.ts',
].map((file) => ({ file, text: readFileSync(file, 'utf8') }));

const REM = 16;
const pixelsIn = (value: string): number[] =>
  [...value.matchAll(/(?<![\w.-])-?(\d*\.?\d+)(rem|px|pt)\b/g)].map(
    ([, amount, unit]) => Number(amount) * (unit === 'rem' ? REM : unit === 'pt' ? 4 / 3 : 1),
  );

const sizesIn = (text: string): number[] =>
  [
    ...text.matchAll(/(?<![\w-])font(?:-size)?:\s*([^;}"]+)/g),
    ...text.matchAll(/\bfontSizes?: ?(\{[^}]*\}|'[^']*')/g),
  ].flatMap(([, value = '']) => pixelsIn(value.split('/')[0] ?? ''));
const sizesGivenIn = (text: string): number[] =>
  [...text.matchAll(/\bfz=\{(?:\{([^}]*)\}|(\d+))\}/g)].flatMap(([, many = '', one = '']) =>
    [...`${many} ${one}`.matchAll(/(?<![\w.])\d+/g)].map(Number),
  );
const spacesIn = (text: string): number[] =>
  [
    ...text.matchAll(/(?<![\w-])(?:(?:margin|padding)[a-z-]*|(?:row-|column-)?gap):\s*([^;}"]+)/g),
    ...text.matchAll(/\s(?:[mp][xytbrlse]?|gap|spacing)=\{(-?\d+)\}/g),
  ].flatMap(([, value = '']) => (/^-?\d+$/.test(value) ? [Math.abs(Number(value))] : pixelsIn(value)));

/** Plainly blue: not a grey with some blue in it, no teal and no violet. */
function isBlue(hex: string): boolean {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  const chroma = Math.max(r, g, b) - Math.min(r, g, b);
  const hue = 240 + (60 * (r - g)) / chroma;
  return b > Math.max(r, g) && chroma > 60 && hue > 200 && hue < 255;
}
const bluesIn = (text: string): string[] =>
  [...text.matchAll(/#[0-9a-f]{6}\b/gi)].map(([color]) => color.toLowerCase()).filter(isBlue);

function outside<T>(read: (text: string) => T[], known: (one: T) => boolean): string[] {
  return files.flatMap(({ file, text }) =>
    read(text)
      .filter((one) => !known(one))
      .map((one) => `${file}: ${one}`),
  );
}

test('every font size is one of the scale', () => {
  assert.deepEqual(
    outside(
      (text) => [...sizesIn(text), ...sizesGivenIn(text)],
      (size) => SIZES.includes(size),
    ),
    [],
  );
  assert.ok(files.flatMap(({ text }) => sizesIn(text)).length > 80);
});

test('every distance is one of the scale', () => {
  assert.deepEqual(
    outside(spacesIn, (space) => space > LARGEST || SPACES.includes(space)),
    [],
  );
  assert.ok(files.flatMap(({ text }) => spacesIn(text)).length > 300);
});

test('there is one blue', () => {
  assert.deepEqual(
    outside(bluesIn, (color) => BLUES.includes(color)),
    [],
  );
  assert.deepEqual(['#4263eb', '#0b4f8a', '#161b22', '#7c3aed', '#06634a'].filter(isBlue), ['#4263eb', '#0b4f8a']);
});
