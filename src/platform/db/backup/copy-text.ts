/** A value of a line for `copy … from stdin`, which separates values by tabs. */
const SPECIAL = /[\\\t\n\r]/;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

export const copyText = (text: string): string =>
  SPECIAL.test(text) ? text.replace(/[\\\t\n\r]/g, (one) => escapes[one] ?? one) : text;

export const COPY_NULL = '\\N';

const MAX_INT = 2 ** 31 - 1;

/** Milliseconds as they fit into an integer column. */
export const copyMs = (ms: number): number => Math.min(Math.max(Math.round(ms), 0), MAX_INT);
