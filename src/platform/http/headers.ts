/** For answers that depend on who asks: no cache keeps them, neither a proxy's nor the browser's. */
export const NOT_STORED = 'private, no-store';
/** For answers with an ETag: the client may keep them, and asks before using them again. */
export const REVALIDATED = 'private, no-cache';
/** Strict-Transport-Security, for addresses that are configured as https: browsers never use plain http there again. */
export const HSTS = 'max-age=31536000';
/** `Retry-After` of every 503. A lost database is usually back, or replaced by its standby, within this time. */
export const UNAVAILABLE_RETRY_SECONDS = 5;
