import { countryCodes } from '../../catalog/import-format/import-format.ts';

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
