import { createHash } from 'node:crypto';

/** What a page may load beyond the usual, by the name of the feature that needs it. */
const additions = {
  /** The card form: Stripe's script, the frames it puts the card fields into, and its API. */
  stripe: {
    'script-src': ['https://js.stripe.com', 'https://*.js.stripe.com'],
    'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
    'connect-src': ['https://api.stripe.com'],
  },
} as const satisfies Record<string, Readonly<Record<string, readonly string[]>>>;

export type PolicyAddition = keyof typeof additions;

interface PolicyParts {
  /** For the styles that Mantine writes into the page: new with each response. Other inline styles are blocked. */
  readonly nonce: string;
  /** Inline scripts of the page, as they are written there; no other is run. */
  readonly scripts?: readonly string[];
  readonly and?: readonly PolicyAddition[];
}

/** The panel's content policy: scripts, pictures and requests come from ourselves and go to ourselves, and no site may frame us. */
export function contentPolicy({ nonce, scripts = [], and = [] }: PolicyParts): string {
  const rules: Record<string, string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...scripts.map(hashOf)],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'"],
    'frame-src': ["'self'"],
    'object-src': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
  };
  for (const name of and) for (const [rule, sources] of Object.entries(additions[name])) rules[rule]?.push(...sources);
  return Object.entries(rules)
    .map(([rule, sources]) => [rule, ...sources].join(' '))
    .join('; ');
}

const hashOf = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
