import { writeFile } from 'node:fs/promises';
import { describedApi } from './openapi/document.ts';

export { errorCodesOf } from './openapi/error-codes.ts';

const environments = {
  sandbox: 'Sandbox: keys that begin with `esk_test_`. No money moves, and the eSIM is fake.',
  live: 'Live: real orders, charged to the wallet or the credit line.',
  legacy: 'Legacy: for existing integrations. Takes both kinds of keys; the key decides.',
} as const;

/** Where an installation serves the API, and where people find its operator. */
export interface Addresses {
  readonly servers: readonly { readonly url: string; readonly environment: keyof typeof environments }[];
  readonly website: string;
}

const text = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

/** The description as an installation serves it. */
export function openapiAt({ servers, website }: Addresses): string {
  const { info, ...document } = describedApi();
  return text({
    ...document,
    info: { ...info, contact: { ...info.contact, url: website } },
    servers: servers.map(({ url, environment }) => ({ url, description: environments[environment] })),
  });
}

/** The description without the addresses of an installation: what is committed. */
export const openapiText = (): string => text(describedApi());

// `npm run openapi` writes the committed copy.
if (import.meta.main) await writeFile(new URL('../../openapi.json', import.meta.url), openapiText());
