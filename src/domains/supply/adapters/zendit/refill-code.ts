/** A plan is an eSIM or a refill, but an offer can be either. As a refill its code has this in front. */
const PREFIX = 'refill:';

export const isRefillCode = (code: string): boolean => code.startsWith(PREFIX);
export const refillCode = (offerId: string): string => PREFIX + offerId;
/** The offer that a plan's code stands for. */
export const offerIdOf = (code: string): string => (isRefillCode(code) ? code.slice(PREFIX.length) : code);
