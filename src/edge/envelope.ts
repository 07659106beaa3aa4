import { type ErrorCode, errors } from '../api/errors.ts';
import type { Host } from './hosts.ts';

export const API_VERSION = 3;

/** `livemode: false` in sandbox answers; live answers do not carry the field. */
export type Livemode = { readonly livemode?: false };
export const sandboxMark: Livemode = { livemode: false };
export const liveMark: Livemode = {};

/** Where no key is known, the host alone decides. */
export const livemodeOf = (host: Host | undefined): Livemode =>
  host?.environment === 'sandbox' ? sandboxMark : liveMark;

export function success(status: number, livemode: Livemode, body: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    result: 'ok',
    code: String(status),
    title: 'Successful',
    api_version: API_VERSION,
    ...livemode,
    ...body,
  });
}

export function failure(code: ErrorCode, livemode: Livemode, extra: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    result: 'fail',
    code: String(errors[code].status),
    error: code,
    title: 'Unsuccessful',
    api_version: API_VERSION,
    ...livemode,
    ...extra,
  });
}
