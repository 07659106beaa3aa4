/*
 * How ids are written, each form once. The patterns are whole (`^…$`), because the API's description prints them and they check what
 * a client sends. Numbers have so few digits that they always fit the column: text with more cannot be an id.
 */

/** The public id of a plan. */
export const PRODUCT_ID = /^esc_[0-9a-f]{16}$/;

/** An API key of either world, and of the sandbox alone. */
export const API_KEY = /^esk_(test_)?[0-9a-f]{40}$/;
export const SANDBOX_KEY = /^esk_test_[0-9a-f]{40}$/;

/** An ICCID as a request may name it. Those of the sandbox and of some suppliers are short. */
export const ICCID = /^\d{5,22}$/;
/** The ICCID of a real eSIM, with or without its check digit. */
export const WHOLE_ICCID = /^\d{18,22}$/;

/** An order, a batch, a delivery or a movement, to put into the pattern of a longer name. */
export const BIG_ID_DIGITS = '[1-9]\\d{0,17}';
const BIG_ID = new RegExp(`^${BIG_ID_DIGITS}$`);
const SMALL_ID = /^[1-9]\d{0,8}$/;

/** The id of an order, a batch, a delivery or a movement. */
export const bigIdIn = (text: string): bigint | undefined => (BIG_ID.test(text) ? BigInt(text) : undefined);
/** Stands for text that cannot be an id: no row has it, so it is not found. */
export const NO_ID = 0n;
/** The id of a partner, a member, an API key or a price rule. */
export const smallIdIn = (text: string): number | undefined => (SMALL_ID.test(text) ? Number(text) : undefined);

/** The same in addresses and where people type them: `007` is 7. 0 is never issued, so it is not found. */
export const typedBigIdIn = (text: string): bigint | undefined => (/^\d{1,18}$/.test(text) ? BigInt(text) : undefined);
export const typedSmallIdIn = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);
