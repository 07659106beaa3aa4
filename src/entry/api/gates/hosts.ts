import type { IncomingMessage } from 'node:http';
import { splitTarget } from '../../../platform/http/target.ts';
import type { Config } from '../../../platform/settings/config.ts';

export type Environment = 'sandbox' | 'live' | 'legacy' | 'panel';

export interface Host {
  readonly environment: Environment;
  /** Lower-case `name:port`, the port always written out. */
  readonly authority: string;
  readonly port: number;
  /** Everything at or below it is an API path. Empty on the legacy host. */
  readonly basePath: string;
  /** Configured as https, usually with a proxy in front that ends TLS. */
  readonly secure: boolean;
}

const DEFAULT_PORT: Record<string, string> = { 'http:': '80', 'https:': '443' };

function hostOf(environment: Environment, url: URL): Host {
  const port = url.port || DEFAULT_PORT[url.protocol] || '80';
  return {
    environment,
    authority: `${url.hostname}:${port}`,
    port: Number(port),
    basePath: url.pathname.replace(/\/+$/, ''),
    secure: url.protocol === 'https:',
  };
}

/** Which environment a request is for: its `Host` decides; for a name we do not know, the port it arrived on. */
export class Hosts {
  readonly all: readonly Host[];
  readonly #byAuthority = new Map<string, readonly Host[]>();

  /** Only the `served` environments have a host here; a process may serve some of them. */
  constructor(config: Config, served: readonly Environment[] = ['sandbox', 'live', 'legacy', 'panel']) {
    const urls = {
      sandbox: config.sandboxBaseUrl,
      live: config.liveBaseUrl,
      legacy: config.legacyBaseUrl,
      panel: config.panelUrl,
    };
    this.all = served.map((environment) => hostOf(environment, urls[environment]));
  }

  get ports(): number[] {
    return [...new Set(this.all.map(({ port }) => port))];
  }

  /** The host of a request that was read before. */
  of({ headers, socket, url = '/' }: IncomingMessage): Host | undefined {
    return this.find(headers.host, socket.localPort, splitTarget(url).path);
  }

  find(authority: string | undefined, localPort: number | undefined, path: string): Host | undefined {
    const named = this.#named(authority);
    const candidates = named.length > 0 ? named : this.all.filter(({ port }) => port === localPort);
    if (candidates.length < 2) return candidates[0];
    // Several environments behind one name differ in their base path.
    const inside = candidates.filter(({ basePath }) => isAtOrBelow(path, basePath));
    const [best, next] = inside.sort((a, b) => b.basePath.length - a.basePath.length);
    if (named.length > 0) return best ?? candidates[0];
    // An unknown name on a port that several share: only different base paths can tell them apart.
    return best?.basePath === next?.basePath ? undefined : best;
  }

  /** The hosts of an authority as it was sent. Only our own names are remembered, so clients cannot fill the memory. */
  #named(authority: string | undefined): readonly Host[] {
    if (!authority) return [];
    const known = this.#byAuthority.get(authority);
    if (known) return known;
    const lower = authority.toLowerCase();
    const hasPort = /:\d+$/.test(lower);
    const found = this.all.filter((host) =>
      hasPort ? host.authority === lower : host.authority === `${lower}:80` || host.authority === `${lower}:443`,
    );
    if (found.length > 0 && lower === authority) this.#byAuthority.set(authority, found);
    return found;
  }
}

export const isAtOrBelow = (path: string, basePath: string): boolean =>
  path.startsWith(basePath) && (path.length === basePath.length || path[basePath.length] === '/' || basePath === '');
