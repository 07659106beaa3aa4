import { fileURLToPath } from 'node:url';

/** Everything that can be set, all of it by environment variables. */
export interface Settings {
  readonly key: string | undefined;
  /** The API's address; by default that of a server on this machine. */
  readonly apiUrl: string | undefined;
  readonly port: number;
  /** Where customers, and Wayfare's webhooks, reach this shop. */
  readonly url: string;
  readonly name: string;
  readonly adminPassword: string | undefined;
  /** Only for keys that may not make a subscription themselves: the secret that the panel showed. */
  readonly webhookSecret: string | undefined;
  readonly folder: string;
}

/** The shop cannot start as it is set up: the message says what to do, and no stack trace is needed. */
export class SettingsError extends Error {}

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  if (env.WAYFARE_KEY === '')
    throw new SettingsError(
      'WAYFARE_KEY is empty. Set it to your API key, or unset it to use a key of the demo partner.',
    );
  const port = Number(env.PORT ?? 4100);
  return {
    key: env.WAYFARE_KEY,
    apiUrl: env.WAYFARE_URL,
    port,
    url: (env.SHOP_URL ?? `http://localhost:${port}`).replace(/\/$/, ''),
    name: env.SHOP_NAME ?? 'Little Atlas',
    adminPassword: env.SHOP_ADMIN_PASSWORD,
    webhookSecret: env.SHOP_WEBHOOK_SECRET,
    folder: env.SHOP_DATA ?? fileURLToPath(new URL('data/', import.meta.url)),
  };
}
