import type { SecondFactor } from '../../../domains/partners/people/people.ts';
import { iso } from '../json/action.ts';

export const factorView = ({ onSince, recoveryLeft }: SecondFactor) => ({
  /** Null: off. */
  on_since: iso(onSince),
  recovery_codes_left: onSince === null ? 0 : recoveryLeft,
});

export const setupView = (key: string, qr: string) => ({
  key,
  /** The same as an SVG to scan. */
  qr,
});

export const codesView = (codes: readonly string[]) => ({ recovery_codes: codes });

export type SecondFactorView = ReturnType<typeof factorView>;
export type SetupView = ReturnType<typeof setupView>;
export type RecoveryCodesView = ReturnType<typeof codesView>;
