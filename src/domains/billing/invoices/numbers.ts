const NUMBER = /^[A-Z0-9-]{1,40}\d{4}-\d{6,12}$/i;

/** The numbers of documents that a text may be: prefixes keep their case, and people type small letters. None: it has another form. */
export const numbersIn = (text: string): string[] =>
  NUMBER.test(text) ? [...new Set([text, text.toUpperCase()])] : [];
