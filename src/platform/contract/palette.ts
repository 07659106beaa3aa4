import { readableOn, textOn } from './colors.ts';

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
