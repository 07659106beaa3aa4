import { BlockList, isIP, isIPv4 } from 'node:net';

export type AddressList = ReturnType<typeof addressList>;

const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** An address in one canonical spelling, without zone or brackets. IPv4 mapped into IPv6 becomes plain IPv4. */
export function normalAddress(text: string): string | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
  const family = isIP(bare);
  if (family !== 6) return family === 4 ? bare : undefined;
  const spelled = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const [, high, low] = MAPPED.exec(spelled) ?? [];
  if (high === undefined || low === undefined) return spelled;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}

/** A network that an address belongs to, and how many times the limit of one customer it has. */
export interface Network {
  readonly name: string;
  readonly times: number;
}

/**
 * The networks an address (as `normalAddress` spells it) counts for in limits, narrowest first. In IPv6 one customer is given a /64 at
 * least, with its billions of addresses, often a /56 and sometimes a /48; so all three are counted. A wider network also holds
 * other customers, so its limit is higher. In IPv4 it is the address, and the /24 of somebody who rents a few of them.
 */
export function networksOf(address: string): readonly Network[] {
  if (isIPv4(address)) {
    const wide = address.slice(0, address.lastIndexOf('.'));
    return [
      { name: address, times: 1 },
      { name: `${wide}.0/24`, times: 4 },
    ];
  }
  if (!address.includes(':')) return [{ name: address, times: 1 }];
  const [a, b, c, d] = groupsOf(address);
  const high = Number.parseInt(d ?? '0', 16) & 0xff00;
  return [
    { name: `${a}:${b}:${c}:${d}::/64`, times: 1 },
    { name: `${a}:${b}:${c}:${high.toString(16)}::/56`, times: 2 },
    { name: `${a}:${b}:${c}::/48`, times: 4 },
  ];
}

/** The narrowest of them: for IPv4 the address itself, for IPv6 its /64. */
export const sourceOf = (address: string): string => networksOf(address)[0]?.name ?? '';

/** The first half of an IPv6 address. */
function groupsOf(address: string): string[] {
  const [head = [], tail] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const left = [...head];
  while (tail && left.length + tail.length < 8) left.push('0');
  return [...left, ...(tail ?? [])].slice(0, 4);
}

/** Splits what a person typed into the allow-list box, at commas and newlines. */
export const splitAddresses = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

export const badAddresses = (entries: readonly string[]): string[] => entries.filter((entry) => !parseEntry(entry));

function parseEntry(entry: string): { address: string; prefix: number } | undefined {
  const [text = '', bits, ...rest] = entry.split('/');
  const address = normalAddress(text);
  if (address === undefined || rest.length > 0) return undefined;
  const width = isIPv4(address) ? 32 : 128;
  if (bits === undefined) return { address, prefix: width };
  if (!/^\d{1,3}$/.test(bits)) return undefined;
  // A block in the mapped form counts the 96 bits of the IPv6 prefix too.
  const prefix = Number(bits) - (isIP(text) === 6 && width === 32 ? 96 : 0);
  return prefix >= 0 && prefix <= width ? { address, prefix } : undefined;
}

/** Single addresses and CIDR blocks of both families. */
export function addressList(entries: readonly string[]) {
  // One list per family: in a shared list Node finds every IPv4 address inside ::/0.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const entry of entries) {
    const parsed = parseEntry(entry);
    if (!parsed) throw new Error(`${entry} is not an address or CIDR block`);
    const family = familyOf(parsed.address);
    lists[family].addSubnet(parsed.address, parsed.prefix, family);
  }
  /** `address` as `normalAddress` spells it. */
  return {
    has: (address: string): boolean => address !== '' && lists[familyOf(address)].check(address, familyOf(address)),
  };
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');
