import type { ErrorCode } from './errors.ts';

/** Errors that a sandbox key can ask every endpoint for. */
export const SIMULATED_EVERYWHERE: readonly ErrorCode[] = [
  'invalid_api_key',
  'partner_disabled',
  'ip_not_allowed',
  'rate_limited',
];
