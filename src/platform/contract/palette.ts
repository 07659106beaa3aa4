/** Colours as `#rrggbb`, and the contrasts of WCAG 2. */

type Rgb = readonly [number, number, number];

/** What text needs to be readable. */
export const READABLE = 4.5;
const STEP = 0.05;

const rgbOf = (color: string): Rgb => {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};
const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

function luminance(color: string): number {
  const [r, g, b] = rgbOf(color).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** From 1 (the same) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Black or white, whichever reads better. One of the two always reaches 4.58:1, so no colour has to be refused. */
export const textOn = (color: string): string =>
  contrast('#ffffff', color) >= contrast('#000000', color) ? '#ffffff' : '#000000';

/** The colour itself, or the nearest shade of it towards black or white that can be read on `background`. */
export function readableOn(background: string, color: string): string {
  const goal = rgbOf(textOn(background));
  const from = rgbOf(color);
  for (let share = 0; share < 1; share += STEP) {
    const mixed = hexOf(from.map((part, i) => part + ((goal[i] ?? 0) - part) * share) as unknown as Rgb);
    if (contrast(mixed, background) >= READABLE) return mixed;
  }
  return hexOf(goal);
}

/**
 * The greys and signal colours of all that is written here: public pages, travellers' pages, the pay page and mails. The one colour that
 * stands out is the operator's or the partner's. (The panel is drawn with Mantine, which brings greys of its own.)
 */
export const palette = {
  light: {
    page: '#f4f6fa',
    card: '#ffffff',
    ink: '#161c26',
    soft: '#55606f',
    line: '#dfe4ec',
    ok: '#0a6b4b',
    warn: '#8a5200',
    bad: '#b3261e',
  },
  dark: {
    page: '#12171f',
    card: '#1b222c',
    ink: '#e8edf3',
    soft: '#a5b1bf',
    line: '#2c3643',
    ok: '#4cc79b',
    warn: '#f0b355',
    bad: '#ff9c93',
  },
} as const;

/** Of the backgrounds text is read on, those it stands out from least. */
const faintest = { light: palette.light.page, dark: palette.dark.card } as const;

/** A colour, or the nearest shade of it that can be read. */
export const accentOf = (color: string, theme: keyof typeof palette): string => readableOn(faintest[theme], color);

const variables = (theme: keyof typeof palette): string =>
  Object.entries(palette[theme])
    .map(([name, color]) => `--${name}:${color}`)
    .join(';');

/** The palette as variables of a style sheet. */
export const paletteStyle = `:root{color-scheme:light dark;${variables('light')}}@media (prefers-color-scheme:dark){:root{${variables('dark')}}}`;

/** Somebody's own colour: as it is where it is a background, in a readable shade where it is text. */
export const brandStyle = (color: string): string =>
  `:root{--brand:${color};--on-brand:${textOn(color)};--accent:${accentOf(color, 'light')}}` +
  `@media (prefers-color-scheme:dark){:root{--accent:${accentOf(color, 'dark')}}}`;
