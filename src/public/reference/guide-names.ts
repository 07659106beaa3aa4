/** The guides in reading order, each with what it is about. */
export const guideNames = {
  'first-purchase': ['First purchase', 'From a key to an eSIM on a phone, in four calls.'],
  webhooks: ['Webhooks', 'Hear of every change, and verify that we sent it.'],
  idempotency: ['Idempotency', 'How to retry a purchase without paying twice.'],
  sandbox: ['Sandbox', 'Try every outcome without money.'],
  errors: ['Errors', 'Which to retry, which to fix, and which to show.'],
  'build-a-shop': ['Build a shop in an hour', 'A complete shop to run, read and copy.'],
} as const;

export type GuideName = keyof typeof guideNames;
