import { type Cents, toCents, ZERO } from '../../../../platform/amounts/cents.ts';
import type { InvoiceDocument } from '../document.ts';

/**
 * The net amount of each line, for the XML: prices contain the tax, but EN 16931 wants lines without it whose sum is the document's net
 * amount to the cent. Each line gets its net amount rounded down, and the cents that are then missing go to the lines that lost most by
 * it, so none is off by a whole cent. Which lines these are depends on nothing but the document.
 */
export function netLines({ lines, taxRate, net, tax, total, number }: InvoiceDocument): Cents[] {
  const gross = lines.reduce((sum, { amount }) => sum + amount, 0n);
  if (gross !== total || net + tax !== total) throw new Error(`the sums of ${number} do not agree`);
  const [share, whole] = netShare(taxRate);
  const shares = lines.map(({ amount }, i) => ({ i, ...divideDown(amount * share, whole) }));
  let missing = net - shares.reduce((sum, { quotient }) => sum + quotient, 0n);
  if (missing < 0n || missing > BigInt(lines.length)) throw new Error(`the tax of ${number} does not fit its rate`);
  const amounts = shares.map(({ quotient }) => toCents(quotient));
  // Sorting is stable: of lines that lost the same, the first comes first.
  for (const { i } of shares.toSorted((a, b) => Number(b.rest > a.rest) - Number(b.rest < a.rest))) {
    if (missing === 0n) break;
    amounts[i] = toCents((amounts[i] ?? ZERO) + 1n);
    missing -= 1n;
  }
  return amounts;
}

/** Of 119 that contain 19 % tax, 100 are net. */
function netShare(taxRate: string): readonly [share: bigint, whole: bigint] {
  const [whole = '', fraction = ''] = taxRate.split('.');
  const hundred = 100n * 10n ** BigInt(fraction.length);
  return [hundred, hundred + BigInt(whole + fraction)];
}

function divideDown(dividend: bigint, divisor: bigint): { quotient: bigint; rest: bigint } {
  const rest = ((dividend % divisor) + divisor) % divisor;
  return { quotient: (dividend - rest) / divisor, rest };
}
