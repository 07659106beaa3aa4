/** They count 1,000 MB to a GB, the contract 1,024. A plan that is sold as 1 GB is 1 GB here, and its usage keeps the scale. */
const MB_PER_DECIMAL_MB = 1.024;
const BYTES_PER_DECIMAL_MB = 1_000_000;

/** Our MB of their decimal ones. */
export const mbOf = (decimalMb: number): number => Math.round(decimalMb * MB_PER_DECIMAL_MB);

export const mbOfBytes = (bytes: number): number => mbOf(bytes / BYTES_PER_DECIMAL_MB);
