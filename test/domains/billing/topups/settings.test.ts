import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '../../../../src/platform/settings/config.ts';

const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };

test('cards are simulated on the embedded database until Stripe is set up, and CARD_PAYMENTS has the last word', () => {
  assert.equal(readConfig({}).cardPayments, 'simulated');
  assert.equal(readConfig({ DATABASE_URL: 'postgres://db/wayfare' }).cardPayments, 'off');
  assert.equal(readConfig(stripe).cardPayments, 'stripe');
  assert.equal(readConfig({ ...stripe, CARD_PAYMENTS: 'off' }).cardPayments, 'off');
  assert.equal(readConfig({ ...stripe, CARD_PAYMENTS: 'simulated' }).cardPayments, 'simulated');
});

test('a publishable key is passed on; a secret key in its place stops the start and is not repeated', () => {
  assert.equal(readConfig(stripe).stripe?.publishableKey, undefined);
  assert.equal(readConfig({ ...stripe, STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }).stripe?.publishableKey, 'pk_test_1');
  assert.throws(
    () => readConfig({ ...stripe, STRIPE_PUBLISHABLE_KEY: 'sk_test_1' }),
    ({ message }: Error) => !message.includes('sk_test_1'),
  );
});

test('settings that cannot work stop the start', () => {
  for (const env of [
    { CARD_PAYMENTS: 'stripe' },
    { CARD_PAYMENTS: 'paypal' },
    { STRIPE_SECRET_KEY: 'sk_test_1' },
    { ...stripe, STRIPE_API_BASE: 'not an address' },
    { ...stripe, STRIPE_PUBLISHABLE_KEY: 'sk_test_1' },
  ])
    assert.throws(() => readConfig(env), ConfigError, JSON.stringify(env));
});
