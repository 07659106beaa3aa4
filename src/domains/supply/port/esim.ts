import { WHOLE_ICCID } from '../../../platform/contract/ids.ts';
import { countryCodes } from '../../catalog/import-format/import-format.ts';

/** Activation data of one eSIM. A secret: the first to install it owns the line. Unset values are null. */
export interface Esim {
  readonly iccid: string;
  /** Host of the SM-DP+ server. */
  readonly smdpAddress: string;
  readonly matchingId: string | null;
  /** `LPA:1$host$matching id`, the content of the QR code. */
  readonly activationCode: string;
  readonly appleUrl: string | null;
  readonly confirmationCode: string | null;
  readonly msisdn: string | null;
  readonly apn: string | null;
  readonly apnType: string | null;
  readonly apnValue: string | null;
  readonly isRoaming: boolean | null;
}

/** The install link that Android phones open directly. */
export function androidInstallUrl(activationCode: string): string {
  return `https://esimsetup.android.com/esim_qrcode_provisioning?carddata=${encodeURI(activationCode)}`;
}

/** The install link that iPhones open directly. */
export function appleInstallUrl(activationCode: string): string {
  return `https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=${activationCode}`;
}

/** An eSIM as far as its supplier describes it. */
export const esimOf = (
  given: Pick<Esim, 'iccid' | 'smdpAddress' | 'matchingId' | 'activationCode'> & Partial<Esim>,
): Esim => ({
  appleUrl: appleInstallUrl(given.activationCode),
  confirmationCode: null,
  msisdn: null,
  apn: null,
  apnType: null,
  apnValue: null,
  isRoaming: null,
  ...given,
});

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

/*
 * The form of an eSIM's activation data, wherever it comes from: a supplier's answer, its notification, or a file of stock. Installers and
 * QR codes need this form, and it keeps markup and texts of any length away from pages and logs.
 */

/** A host name, with or without a port. */
const HOST = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(:\d{1,5})?$/;
/** GSMA allows capitals, digits and hyphens. Suppliers use more; markup, quotes and `$` are not among it. */
const MATCHING_ID = /^[A-Za-z0-9!#%&()*+,./:;=?@^_{|}~[\]-]{1,128}$/;
/** `LPA:1$host$matching id`, then optionally the server's object id and whether a confirmation code is asked for. */
const ACTIVATION_CODE = /^LPA:1\$([^$]+)\$([^$]*)(?:\$[A-Za-z0-9.]{0,64}){0,3}$/;
/** `LPA:` and the 255 characters that GSMA allows. */
const LONGEST_ACTIVATION_CODE = 259;
const CONFIRMATION_CODE = /^[A-Za-z0-9!#$%&()*+,./:;=?@^_{|}~[\]-]{1,64}$/;
const PHONE_NUMBER = /^\+?\d[\d ()./-]{1,24}$/;
/** Access points and their types are words of the supplier. */
const SHORT_TEXT = /^[^\p{Cc}\p{Cf}\p{Cs}<>"]{1,200}$/u;
const APPLE_URL = /^https:\/\/esimsetup\.apple\.com\/[^\s"'<>\\^`\p{Cc}]{0,500}$/u;

const fits = (pattern: RegExp, value: unknown): boolean => typeof value === 'string' && pattern.test(value);

export const hasIccidForm = (text: unknown): text is string => fits(WHOLE_ICCID, text);
export const isSmdpAddress = (text: unknown): boolean => fits(HOST, text);
export const isMatchingId = (text: unknown): boolean => fits(MATCHING_ID, text);

export const isConfirmationCode = (text: unknown): boolean => fits(CONFIRMATION_CODE, text);

export function isActivationCode(text: unknown): boolean {
  if (typeof text !== 'string' || text.length > LONGEST_ACTIVATION_CODE) return false;
  const [, host, matchingId] = ACTIVATION_CODE.exec(text) ?? [];
  return isSmdpAddress(host) && (matchingId === '' || isMatchingId(matchingId));
}

type CheckedEsim =
  /** It cannot be installed as it is. The text names the field, never its value. */
  | { readonly problem: string }
  /** `dropped`: fields that it can be installed without, and that had no usable value. */
  | { readonly esim: Esim; readonly dropped: readonly string[] };

/** An eSIM as a supplier described it. */
export function checkEsim(given: Esim): CheckedEsim {
  const isWrong = {
    ICCID: !hasIccidForm(given.iccid) && 'is not 18 to 22 digits',
    'SM-DP+ address': !isSmdpAddress(given.smdpAddress) && 'is not the name of a host',
    'matching id':
      given.matchingId !== null && !isMatchingId(given.matchingId) && 'has characters or a length it cannot have',
    'activation code': !isActivationCode(given.activationCode) && 'is not LPA:1$host$matching-id',
    'confirmation code':
      given.confirmationCode !== null &&
      !isConfirmationCode(given.confirmationCode) &&
      'has characters or a length it cannot have',
  };
  const problems = Object.entries(isWrong).flatMap(([field, problem]) => (problem ? [`its ${field} ${problem}`] : []));
  if (problems.length > 0) return { problem: problems.join(', ') };
  const dropped: string[] = [];
  const kept = (field: keyof Esim, pattern: RegExp): string | null => {
    const value = given[field];
    if (value === null || fits(pattern, value)) return value as string | null;
    dropped.push(field);
    return null;
  };
  const esim = {
    ...given,
    appleUrl: kept('appleUrl', APPLE_URL) ?? appleInstallUrl(given.activationCode),
    msisdn: kept('msisdn', PHONE_NUMBER),
    apn: kept('apn', SHORT_TEXT),
    apnType: kept('apnType', SHORT_TEXT),
    apnValue: kept('apnValue', SHORT_TEXT),
    isRoaming: typeof given.isRoaming === 'boolean' ? given.isRoaming : null,
  };
  return { esim, dropped };
}

export const profileStates = [
  'released',
  'downloaded',
  'installed',
  'enabled',
  'disabled',
  'deleted',
  'unknown',
] as const;
export type ProfileState = (typeof profileStates)[number];

/** What a supplier knows of the eSIM on the phone. It comes with a reading of the usage or with a notification. */
export interface ProfileReading {
  readonly state: ProfileState;
  readonly device: { readonly brand: string; readonly model: string } | null;
  /** ISO code of the country where it was last seen; null: not told. */
  readonly country: string | null;
  /** When it was last seen there; null: not told. */
  readonly seenAt: Date | null;
}

/** Names of phones are shown to partners, travellers and operators. */
const DEVICE_TEXT = /^[^\p{Cc}\p{Cf}\p{Cs}<>"]{1,100}$/u;
const FIRST_DAY = Date.UTC(2000, 0, 1);
const LAST_DAY = Date.UTC(2100, 0, 1);

/** The ISO code of a country, from a supplier's text; null: it is none. Three-letter codes and names are not guessed at. */
export function countryOf(value: unknown): string | null {
  const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
  return countryCodes.has(code) ? code : null;
}

/**
 * A profile as a supplier described it; undefined: nothing usable was told. `dropped` names parts that had no usable value: they are left
 * out, and what is known of them stays.
 */
export function checkProfile(given: Partial<ProfileReading>) {
  const { state, device, country, seenAt } = given;
  const isRight = {
    state: state === undefined || profileStates.includes(state),
    device: !device || [device.brand, device.model].every(isDeviceText),
    country: country === undefined || country === null || countryCodes.has(country),
    seenAt: !seenAt || (seenAt.getTime() >= FIRST_DAY && seenAt.getTime() < LAST_DAY),
  };
  const kept = Object.entries(given).filter(
    ([part, value]) => value !== undefined && isRight[part as keyof ProfileReading],
  );
  const dropped = Object.entries(isRight).flatMap(([part, right]) => (right ? [] : [part]));
  const profile: Partial<ProfileReading> | undefined = kept.length === 0 ? undefined : Object.fromEntries(kept);
  return { profile, dropped };
}

/** A brand may be told without a model, and the other way round. */
const isDeviceText = (text: unknown): boolean => text === '' || (typeof text === 'string' && DEVICE_TEXT.test(text));
