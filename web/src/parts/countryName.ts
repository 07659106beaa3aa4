const names = new Intl.DisplayNames(['en'], { type: 'region' });

/** `FR` as France. A code that is not one stays as it is. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code;
}
