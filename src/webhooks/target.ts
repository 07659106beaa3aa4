import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type AddressRefusal, addressRefusal } from './public-address.ts';

export type TargetRefusal = 'invalid_url' | 'not_https' | 'has_credentials' | 'unresolvable_host' | AddressRefusal;

/** The guard's no. Nothing was connected to. */
export class TargetRefused extends Error {
  readonly reason: TargetRefusal;

  constructor(reason: TargetRefusal) {
    super(`blocked: ${reason}`);
    this.reason = reason;
  }
}

/** A target that may be called, and the addresses that were checked: the connection uses one of these and no other. */
export interface Target {
  readonly url: URL;
  readonly addresses: readonly string[];
}

export interface Guard {
  /** Resolves and checks; throws `TargetRefused`. Asked anew for every attempt, because a name can change its address. */
  check(url: string): Promise<Target>;
}

export interface GuardOptions {
  /** host:port of receivers that may be plain http or private, for local development; the only door. */
  readonly trustedHosts: readonly string[];
  readonly resolver?: Pick<Resolver, 'resolve4' | 'resolve6'>;
  /** What makes an address unfit. Tests name an address of this machine that stands for a public one. */
  readonly refusal?: (address: string) => AddressRefusal | undefined;
}

/** Cloud metadata services by the names their machines know them by. */
const metadataNames = new Set([
  'metadata',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'api.service.softlayer.com',
]);

const DNS_TRY_MS = 2_000;
const DNS_TRIES = 2;

export function createGuard(options: GuardOptions): Guard {
  const resolver = options.resolver ?? new Resolver({ timeout: DNS_TRY_MS, tries: DNS_TRIES });
  const refusal = options.refusal ?? addressRefusal;
  const trusted = new Set(options.trustedHosts);
  const asking = new Map<string, Promise<string[]>>();

  /** Attempts that need the same name at the same moment share one question; no answer is kept. */
  function resolve(host: string): Promise<string[]> {
    const asked = asking.get(host) ?? askBothFamilies(resolver, host).finally(() => asking.delete(host));
    asking.set(host, asked);
    return asked;
  }

  return {
    async check(text) {
      const url = parse(text);
      const host = url.hostname.replace(/^\[|\]$/g, '');
      if (trusted.has(`${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`))
        return { url, addresses: isIP(host) ? [host] : await systemLookup(host) };
      if (url.protocol !== 'https:') throw new TargetRefused('not_https');
      if (isIP(host)) return { url, addresses: allPublic([host], refusal) };
      const refused = nameRefusal(host.replace(/\.$/, ''));
      if (refused) throw new TargetRefused(refused);
      return { url, addresses: allPublic(await resolve(host), refusal) };
    },
  };
}

function parse(text: string): URL {
  const url = URL.parse(text);
  if (!url) throw new TargetRefused('invalid_url');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new TargetRefused('not_https');
  if (url.username !== '' || url.password !== '') throw new TargetRefused('has_credentials');
  return url;
}

/** Names that are never public, wherever they resolve to. */
function nameRefusal(name: string): AddressRefusal | undefined {
  if (/^(.+\.)?localhost$/.test(name)) return 'loopback_address';
  if (metadataNames.has(name)) return 'link_local_address';
  if (/\.(internal|local|home\.arpa)$/.test(name)) return 'private_address';
  return undefined;
}

/** One refused address refuses the name: whoever answers with both is probing. */
function allPublic(addresses: string[], refusal: (address: string) => AddressRefusal | undefined): string[] {
  for (const address of addresses) {
    const reason = refusal(address);
    if (reason) throw new TargetRefused(reason);
  }
  return addresses;
}

async function askBothFamilies(resolver: Pick<Resolver, 'resolve4' | 'resolve6'>, host: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new TargetRefused('unresolvable_host');
  // Sorted, so that a name that turns its answers round still finds its open connections.
  return addresses.sort();
}

/** A trusted host may be known to this machine only (hosts file, container network). */
async function systemLookup(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    throw new TargetRefused('unresolvable_host');
  }
}
