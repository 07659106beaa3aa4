/** Builds an ICCID: prefix (89, country, issuer), serial, and the Luhn check digit at the end. */
export function iccidOf(prefix: string, serial: bigint | number, digits = 19): string {
  const body = prefix + serial.toString().padStart(digits - 1 - prefix.length, '0');
  if (body.length !== digits - 1) throw new Error(`serial ${serial} does not fit an ICCID of ${digits} digits`);
  return body + luhnDigit(body);
}

export function isIccid(text: string): boolean {
  return /^89\d{17,18}$/.test(text) && text.at(-1) === luhnDigit(text.slice(0, -1));
}

function luhnDigit(body: string): string {
  let sum = 0;
  for (let i = 0; i < body.length; i++) {
    const digit = body.charCodeAt(body.length - 1 - i) - 48;
    // From the right, every other digit is doubled; 9 is subtracted from results above 9.
    const value = i % 2 === 0 ? digit * 2 : digit;
    sum += value > 9 ? value - 9 : value;
  }
  return String((10 - (sum % 10)) % 10);
}
