import type { ErrorCode } from '../src/platform/contract/errors.ts';
import type { Json } from './components.ts';

const header = (description: string, schema: Json) => ({ description, schema });
const whole = (description: string, example: number) => header(description, { type: 'integer', examples: [example] });
const text = (description: string, example: string) => header(description, { type: 'string', examples: [example] });

/** Headers of answers, by name. */
export const headers: Readonly<Record<string, Json>> = {
  'X-RateLimit-Limit': whole("The key's ceiling in this tier, in calls per minute.", 360),
  'X-RateLimit-Remaining': whole('Calls left, this one included.', 359),
  'X-RateLimit-Reset': whole('Seconds until the window rolls.', 42),
  'X-Request-Id': text('Names this answer in our logs. Quote it when you ask for help.', '0h5x2k9q-1'),
  'X-Sandbox-Clock': text('The time of the sandbox, if it was moved forward. UTC.', '2026-03-08 12:00:00'),
  ETag: text('Names this version of the answer. Send it back as `If-None-Match`.', '"b1946ac92492d234"'),
  'Retry-After': whole('Seconds to wait before trying again.', 30),
  Allow: text('The verb the endpoint takes.', 'GET'),
};

const refs = (...names: string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const everyAnswer = (more: readonly string[] = []): Json =>
  refs('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id', 'X-Sandbox-Clock', ...more);

/** What an answer with these codes carries besides. */
export const headersOf = (codes: readonly ErrorCode[]): string[] => [
  ...(codes.some((code) => code === 'rate_limited' || code === 'service_unavailable') ? ['Retry-After'] : []),
  ...(codes.includes('method_not_allowed') ? ['Allow'] : []),
];
