/** What a page may have beyond the ordinary, by the name of what needs it. */
const additions = {
  /** The card form: Stripe's script, the frames it puts the card fields into, and its API. */
  stripe: {
    'script-src': ['https://js.stripe.com'],
    'frame-src': ['https://js.stripe.com', 'https://hooks.stripe.com'],
    'connect-src': ['https://api.stripe.com'],
  },
} as const satisfies Record<string, Readonly<Record<string, readonly string[]>>>;

export type PolicyAddition = keyof typeof additions;

/**
 * The panel's content policy. Scripts, pictures and requests come from ourselves and go to ourselves, and no site may frame us.
 * Styles that Mantine writes into the page carry the nonce of this one response; other inline styles are blocked.
 */
export function contentPolicy(nonce: string, and: readonly PolicyAddition[] = []): string {
  const rules: Record<string, string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'"],
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
