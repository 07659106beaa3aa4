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
