const names = new Intl.DisplayNames(['en'], { type: 'region' });

/** The English name of a country by its ISO code; undefined when it is not one. */
export const countryName = (code: string): string | undefined => (/^[A-Z]{2}$/.test(code) ? names.of(code) : undefined);
