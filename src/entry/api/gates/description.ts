import { readFileSync } from 'node:fs';
import { FixedBody } from '../../../platform/http/fixed-body.ts';
import type { Config } from '../../../platform/settings/config.ts';

type Settings = Pick<Config, 'sandboxBaseUrl' | 'liveBaseUrl' | 'legacyBaseUrl' | 'websiteUrl' | 'site'>;

const environments = {
  sandbox: 'Sandbox: keys that begin with `esk_test_`. No money moves, and the eSIM is fake.',
  live: 'Live: real orders, charged to the wallet or the credit line.',
  legacy: 'Legacy: for existing integrations. Takes both kinds of keys; the key decides.',
} as const;

/** Where an installation serves the API, and where people find its operator. */
export interface Addresses {
  readonly servers: readonly { readonly url: string; readonly environment: keyof typeof environments }[];
  readonly website: string;
  readonly siteName: string;
}

/** As `npm run openapi` writes it: the same for every installation. */
let committed: string | undefined;

/** The committed description with an installation's name and addresses in it. Only those three places are touched, so nothing is parsed. */
export function openapiAt({ servers, website, siteName }: Addresses): string {
  committed ??= readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8');
  const described = servers.map(({ url, environment }) => ({ url, description: environments[environment] }));
  const named = replaced(
    committed,
    /"title": "Wayfare (?=Travel)/,
    () => `"title": ${JSON.stringify(siteName).slice(0, -1)} `,
  );
  const text = replaced(
    named,
    /"name": "The operator of this service"/,
    (name) => `${name},\n      "url": ${JSON.stringify(website)}`,
  );
  return replaced(
    text,
    /^ {2}"servers": \[[^\]]*\]/m,
    () => `  "servers": ${JSON.stringify(described, null, 2).replace(/\n/g, '\n  ')}`,
  );
}

function replaced(text: string, place: RegExp, write: (found: string) => string): string {
  if (!place.test(text)) throw new Error(`openapi.json has no ${place}`);
  return text.replace(place, write);
}

/**
 * The API's description with this installation's addresses, made when somebody first asks for it. The sandbox comes first: what tools
 * try out by default costs nothing.
 */
export function description(config: Settings): () => FixedBody {
  const urls = { sandbox: config.sandboxBaseUrl, live: config.liveBaseUrl, legacy: config.legacyBaseUrl };
  const servers = (['sandbox', 'live', 'legacy'] as const).map((environment) => ({
    environment,
    url: urls[environment].href.replace(/\/$/, ''),
  }));
  let body: FixedBody | undefined;
  return () => {
    body ??= new FixedBody(
      Buffer.from(openapiAt({ servers, website: config.websiteUrl.href, siteName: config.site.name })),
    );
    return body;
  };
}
