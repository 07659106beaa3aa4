/** A round number at or above the given one: 1, 2, 2.5 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= value * 0.999999) ?? 10;
  return factor * power;
}

/**
 * The marks of a value axis from zero to at least `largest`, about `wanted` of them. With `whole` they are whole numbers: there is
 * no half order.
 */
export function ticks(largest: number, wanted = 4, whole = false): number[] {
  if (!(largest > 0)) return [0, 1];
  const rough = roundUp(largest / wanted);
  const step = whole ? Math.max(1, Math.ceil(rough)) : rough;
  const count = Math.ceil(largest / step - 1e-9);
  // Multiplied, not added up, so that 0.1 three times is not 0.30000000000000004.
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}

/** Every how many points a name fits below the axis. */
export const everyNth = (points: number, width: number, nameWidth: number): number =>
  Math.max(1, Math.ceil((points * nameWidth) / Math.max(1, width)));
