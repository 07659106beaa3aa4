import { openapiAt } from '../api/openapi.ts';
import type { Config } from '../config.ts';
import { FixedBody } from '../http/fixed-body.ts';

type Settings = Pick<Config, 'sandboxBaseUrl' | 'liveBaseUrl' | 'legacyBaseUrl' | 'websiteUrl'>;

/** The API's description with this installation's addresses. The sandbox comes first: what tools try out by default costs nothing. */
export function description(config: Settings): FixedBody {
  const urls = { sandbox: config.sandboxBaseUrl, live: config.liveBaseUrl, legacy: config.legacyBaseUrl };
  const servers = (['sandbox', 'live', 'legacy'] as const).map((environment) => ({
    environment,
    url: urls[environment].href.replace(/\/$/, ''),
  }));
  return new FixedBody(Buffer.from(openapiAt({ servers, website: config.websiteUrl.href })));
}
