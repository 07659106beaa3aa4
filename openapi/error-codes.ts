import type { Endpoint } from '../src/entry/api/endpoint.ts';
import { liveCodes, sandboxCodes } from '../src/platform/contract/codes.ts';
import { type ErrorCode, errors } from '../src/platform/contract/errors.ts';

/** What the gates can answer before a request reaches its endpoint. */
export const GATE_ERRORS: readonly ErrorCode[] = [
  'live_key_on_sandbox_host',
  'sandbox_key_on_live_host',
  'body_too_large',
  'unsupported_media_type',
  'malformed_request',
  'api_key_header_required',
  'api_key_required',
  'invalid_api_key',
  'partner_not_found',
  'partner_disabled',
  'ip_not_allowed',
  'method_not_allowed',
  'rate_limited',
  'key_not_permitted',
  'invalid_sandbox_error',
  'internal_error',
  'service_unavailable',
];

/** In a stable order. */
export const sortedCodes = (codes: Iterable<ErrorCode>): ErrorCode[] =>
  [...new Set(codes)].sort((a, b) => errors[a].status - errors[b].status || a.localeCompare(b));

/** Every code an endpoint can answer, in a stable order. */
export function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  const own = [
    ...(endpoint.param ? [endpoint.param.missing] : []),
    ...Object.values(endpoint.fields).flatMap((field) => field.errors),
    ...endpoint.errors,
    ...endpoint.simulated,
    ...[liveCodes, sandboxCodes].flatMap((codes) => endpoint.storeFailure?.(codes) ?? []),
  ];
  return sortedCodes([...GATE_ERRORS, ...own]);
}
