/*
 * Addresses of sites in names that strangers type. Names are in mails we send, in our name, to people who do not know their author:
 * "Your invitation to PayPal Security: verify at evil.example". So a name must not hold an address, however it is spelled, and
 * what was stored before, or an operator allowed, is written so that no mail program makes a link of it.
 *
 * A dot with a space after it is how people write: St. Gallen, J. Smith. Mail programs make no link of it, so only the commonest
 * endings are refused there.
 */

const DOT = '[.\u3002]';
/** Letters and signs that look like a dot and are no dot to a browser. Some belong to names (Col·legi), but not before these endings. */
const LIKE_A_DOT = '[.\u3002·•‧∙⋅・ꓸ٠۰]';
const COMMON = '(?:com|net|org)(?![\\p{L}\\p{N}])';

const ADDRESSES: readonly RegExp[] = [
  // evil.example, evil .example, evil . example, evil(.)example, evil[dot]example
  new RegExp(`[^\\s.](?:${DOT}|\\s+${DOT}\\s*|\\s*[([{<]\\s*(?:${DOT}|dot)\\s*[)\\]}>]\\s*)\\p{L}{2,}`, 'iu'),
  // evil. com, evil·com, evil dot com
  new RegExp(`[^\\s.]\\s*${LIKE_A_DOT}\\s*${COMMON}`, 'iu'),
  new RegExp(`\\S\\s+dot\\s+${COMMON}`, 'iu'),
  /\/\/|(?<![\p{L}\p{N}])(?:h(?:tt|xx)ps?|www)(?![\p{L}\p{N}])/iu,
  /\d{1,3}(?:\.\d{1,3}){3}/,
];

/** Without characters that show nothing, and full-width letters and dots as the plain ones, which is how a browser reads them. */
const plain = (text: string): string => text.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');

export const hasSiteAddress = (text: string): boolean => ADDRESSES.some((address) => address.test(plain(text)));

/** The same text, of which no mail program makes a link: each dot inside a word gets a space after it. */
export const unlinked = (text: string): string =>
  hasSiteAddress(text) ? text.replaceAll(/[.\u3002\uff0e\uff61\u2024](?=\S)/g, '$& ').replaceAll('//', '/ /') : text;
