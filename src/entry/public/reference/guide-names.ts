/** The guides in reading order, each with what it is about. */
export const guideNames = {
  'first-purchase': ['First purchase', 'From a key to an eSIM on a phone, in four calls.'],
  orders: ['Orders', 'What status and delivery mean, and which to trust.'],
  webhooks: ['Webhooks', 'Be notified of every change, and verify that we sent it.'],
  events: ['Events', 'Every event with its body.'],
  idempotency: ['Idempotency', 'How to retry a purchase without paying twice.'],
  sandbox: ['Sandbox', 'Try every outcome without money.'],
  errors: ['Errors', 'Every code: which to retry, and which is final.'],
  money: ['Money', 'Movements of wallet and debt: their types and signs.'],
  'help-a-traveller': ['Help a traveller in a minute', 'What an eSIM does on the phone, and what to press.'],
  'coming-from-airalo': ['Coming from Airalo', 'What stays, what is better, and the one line to change.'],
  'build-a-shop': ['Build a shop in an hour', 'A complete shop to run, read and copy.'],
} as const;

export type GuideName = keyof typeof guideNames;
