import { createHash } from 'node:crypto';

/** A strong tag: equal bytes have equal tags, in every process. */
export const etagOf = (bytes: Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

/** Whether `If-None-Match` names the tag. A weak tag counts too: proxies weaken tags when they recompress. */
export const hasTag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
