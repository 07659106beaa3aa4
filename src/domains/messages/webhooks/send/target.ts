import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type AddressRefusal, addressRefusal } from './public-address.ts';

export type TargetRefusal = 'invalid_url' | 'not_https' | 'has_credentials' | 'unresolvable_host' | AddressRefusal;

/** The guard refused the target; no connection was made. */
export class TargetRefused extends Error {
  readonly reason: TargetRefusal;

  constructor(reason: TargetRefusal) {
    super(`blocked: ${reason}`);
    this.reason = reason;
  }
}

/** A target that may be called. The connection must use one of the checked addresses. */
export interface Target {
  readonly url: URL;
  readonly addresses: readonly string[];
}

export interface Guard {
  /** Resolves and checks; throws `TargetRefused`. Called for every attempt, because a name can change its address. */
  check(url: string): Promise<Target>;
}

interface GuardOptions {
  /** host:port of receivers that may use plain http or a private address, for local development. The only exception. */
  readonly trustedHosts: readonly string[];
  readonly resolver?: Pick<Resolver, 'resolve4' | 'resolve6'>;
  /** Which addresses are refused. Tests let an address of this machine pass for a public one. */
  readonly refusal?: (address: string) => AddressRefusal | undefined;
}

/** Names under which machines in a cloud reach its metadata service. */
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
  const queries = new Map<string, Promise<string[]>>();

  /** Concurrent attempts to one name share a DNS query; answers are not cached. */
  function resolve(host: string): Promise<string[]> {
    const query = queries.get(host) ?? resolveBothFamilies(resolver, host).finally(() => queries.delete(host));
    queries.set(host, query);
    return query;
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

/** Names that are refused whatever they resolve to. */
function nameRefusal(name: string): AddressRefusal | undefined {
  if (/^(.+\.)?localhost$/.test(name)) return 'loopback_address';
  if (metadataNames.has(name)) return 'link_local_address';
  if (/\.(internal|local|home\.arpa)$/.test(name)) return 'private_address';
  return undefined;
}

/** One refused address refuses the name: a public receiver has no reason to list private addresses. */
function allPublic(addresses: string[], refusal: (address: string) => AddressRefusal | undefined): string[] {
  for (const address of addresses) {
    const reason = refusal(address);
    if (reason) throw new TargetRefused(reason);
  }
  return addresses;
}

async function resolveBothFamilies(resolver: Pick<Resolver, 'resolve4' | 'resolve6'>, host: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new TargetRefused('unresolvable_host');
  // Sorted, so that a name with rotating answers still finds its open connections.
  return addresses.sort();
}

/** A trusted host may be a name only this machine knows (hosts file, container network). */
async function systemLookup(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    throw new TargetRefused('unresolvable_host');
  }
}
