import { ConfigError } from './environment.ts';

export interface CardSettings {
  /**
   * Who takes card payments in live: Stripe when its key is set, otherwise the simulated provider if the database is the
   * embedded one. With DATABASE_URL set, strangers may hold live keys, so play money is never the default there. `off` refuses
   * top-ups.
   */
  cardPayments: 'stripe' | 'simulated' | 'off';
  stripe:
    | {
        secretKey: string;
        webhookSecret: string;
        /** For a partner's own page; not a secret. */
        publishableKey?: string | undefined;
        apiBase: string | undefined;
      }
    | undefined;
}

export function readCardSettings(env: NodeJS.ProcessEnv, url: (name: string, fallback: string) => URL): CardSettings {
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret = '',
    STRIPE_PUBLISHABLE_KEY: publishableKey,
  } = env;
  if (secretKey && !webhookSecret) throw new ConfigError('STRIPE_SECRET_KEY also needs STRIPE_WEBHOOK_SECRET');
  // Partners get to see it, so a secret key in its place must not start.
  if (publishableKey && !publishableKey.startsWith('pk_'))
    throw new ConfigError('STRIPE_PUBLISHABLE_KEY must be a publishable key (pk_…)');
  const cardPayments = env.CARD_PAYMENTS || (secretKey ? 'stripe' : env.DATABASE_URL ? 'off' : 'simulated');
  if (cardPayments !== 'stripe' && cardPayments !== 'simulated' && cardPayments !== 'off')
    throw new ConfigError('CARD_PAYMENTS must be stripe, simulated or off');
  if (cardPayments === 'stripe' && !secretKey) throw new ConfigError('CARD_PAYMENTS=stripe needs STRIPE_SECRET_KEY');
  const apiBase = env.STRIPE_API_BASE ? url('STRIPE_API_BASE', '').href : undefined;
  const stripe = secretKey
    ? { secretKey, webhookSecret, publishableKey: publishableKey || undefined, apiBase }
    : undefined;
  return { cardPayments, stripe };
}
