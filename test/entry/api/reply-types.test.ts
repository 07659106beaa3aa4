import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { endpoint, type ReplyOf } from '../../../src/entry/api/endpoint.ts';
import type { balance } from '../../../src/entry/api/endpoints/account/balance.ts';

const declared = {
  path: '/account/example',
  verb: 'GET',
  tier: 'read',
  summary: 'An example',
  fields: {},
  errors: [],
  simulated: [],
  reply: Type.Object({ balance: Type.Number() }),
} as const;

// These hold at compile time: `npm run check` fails when an expected error is missing.
test('an endpoint that answers something other than its declared reply does not compile', () => {
  endpoint({ ...declared, handle: () => ({ body: { balance: 1 } }) });
  // @ts-expect-error: a string is not the declared number
  endpoint({ ...declared, handle: () => ({ body: { balance: '1' } }) });
  // @ts-expect-error: the declared field is missing
  endpoint({ ...declared, handle: async () => ({ body: {} }) });
  const reply: ReplyOf<typeof balance> = { balance: 1 };
  assert.equal(reply.balance, 1);
});
