const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
/** Groups of countries, and codes that stand for none. */
const notCountries = ['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ'];

function labelOf(code: string): string | undefined {
  // Codes that were replaced, such as UK and SU, become another one.
  const isCurrent = new Intl.Locale(`und-${code}`).region === code;
  return isCurrent && !notCountries.includes(code) ? names.of(code) : undefined;
}

/** Every country by its two letters, in the order of their names. */
export const countries: readonly { readonly value: string; readonly label: string }[] = letters
  .flatMap((first) => letters.map((second) => first + second))
  .flatMap((value) => {
    const label = labelOf(value);
    return label === undefined ? [] : [{ value, label }];
  })
  .sort((a, b) => a.label.localeCompare(b.label, 'en'));
