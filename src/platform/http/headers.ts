import { createHash } from 'node:crypto';

/** For answers that depend on who asks: no cache keeps them, neither a proxy's nor the browser's. */
export const NOT_STORED = 'private, no-store';
/** For answers with an ETag: the client may keep them, and asks before using them again. */
export const REVALIDATED = 'private, no-cache';
/** Strict-Transport-Security, for addresses that are configured as https: browsers never use plain http there again. */
export const HSTS = 'max-age=31536000';
/** `Retry-After` of every 503. A lost database is usually back, or replaced by its standby, within this time. */
export const UNAVAILABLE_RETRY_SECONDS = 5;

/** A strong tag: equal bytes have equal tags, in every process. */
export const etagOf = (bytes: Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

/** Whether `If-None-Match` names the tag. A weak tag counts too: proxies weaken tags when they recompress. */
export const hasTag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
