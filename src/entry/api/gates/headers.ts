import { HSTS, NOT_STORED, REVALIDATED } from '../../../platform/http/headers.ts';
import type { Host } from './hosts.ts';

export type Headers = Record<string, string | number>;

const JSON_TYPE = 'application/json; charset=utf-8';

/** What every answer of the API starts with. It depends on the key, so a cache that is shared must not keep it. */
export function apiHeaders(host: Host | undefined, requestId: string): Headers {
  const headers: Headers = {
    'content-type': JSON_TYPE,
    'cache-control': NOT_STORED,
    vary: 'x-api-key',
    'x-request-id': requestId,
  };
  if (host?.secure) headers['strict-transport-security'] = HSTS;
  return headers;
}

/** For bodies that are kept ready: the client may keep them too, and asks whether they have changed. */
export function revalidated(headers: Headers, etag: string, vary: string): void {
  headers.etag = etag;
  headers['cache-control'] = REVALIDATED;
  headers.vary = vary;
}
