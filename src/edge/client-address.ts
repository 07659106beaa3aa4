import type { IncomingMessage } from 'node:http';
import { type AddressList, addressList, normalAddress } from '../address-list.ts';

/**
 * The address a request really comes from. Forwarded headers are believed only from a trusted proxy, and only back to the
 * first hop that is not one: anything further left was written by the client itself.
 */
export function clientAddresses(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted: AddressList | undefined = trustedProxies.length > 0 ? addressList(trustedProxies) : undefined;
  return (request) => {
    let address = normalAddress(request.socket.remoteAddress ?? '') ?? '';
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
