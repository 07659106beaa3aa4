declare const basisPoints: unique symbol;

/** Hundredths of a percent, so that a share keeps its two places exactly: 12.5 % is 1250. */
export type BasisPoints = bigint & { readonly [basisPoints]: true };

export const toBasisPoints = (units: bigint): BasisPoints => units as BasisPoints;
export const NO_SHARE = toBasisPoints(0n);
/** The whole, in basis points. */
export const WHOLE = 10_000n;

const PERCENT = /^(\d{1,3})(?:\.(\d{1,2}))?$/;

/** Reads "12.5" as 12.5 percent; undefined unless it is from 0 to 100 with at most two places. */
export function parsePercent(text: string): BasisPoints | undefined {
  const [, whole, fraction = ''] = PERCENT.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const share = BigInt(whole + fraction.padEnd(2, '0'));
  return share <= WHOLE ? toBasisPoints(share) : undefined;
}

export const percentToNumber = (share: BasisPoints): number => Number(share) / 100;

/** As the contract writes a share in a row: "12.50". */
export const formatPercent = (share: BasisPoints): string => percentToNumber(share).toFixed(2);
