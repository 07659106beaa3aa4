import { type AddressList, addressList, normalAddress } from './address-list.ts';
import type { Peer, Received } from './body.ts';

export type ClientAddress = (request: Pick<Received, 'headers' | 'socket'>) => string;

/**
 * The address a request really comes from. `X-Forwarded-For` counts only when a trusted proxy sent it, and only back to the
 * first hop that is not a trusted proxy: the client could have written anything further left.
 */
export function clientAddresses(trustedProxies: readonly string[]): ClientAddress {
  const trusted: AddressList | undefined = trustedProxies.length > 0 ? addressList(trustedProxies) : undefined;
  return (request) => {
    let address = peerOf(request.socket);
    if (!trusted?.has(address)) return address;
    const hops = String(request.headers['x-forwarded-for'] ?? '').split(',');
    for (const hop of hops.reverse()) {
      const next = normalAddress(hop.trim());
      if (next === undefined) break;
      address = next;
      if (!trusted.has(address)) break;
    }
    return address;
  };
}

/** Spelled once per connection: every call in the request log asks for it, and parsing an IPv6 address takes microseconds. */
const peers = new WeakMap<Peer, string>();

function peerOf(socket: Peer): string {
  const known = peers.get(socket);
  if (known !== undefined) return known;
  const address = normalAddress(socket.remoteAddress ?? '') ?? '';
  peers.set(socket, address);
  return address;
}
