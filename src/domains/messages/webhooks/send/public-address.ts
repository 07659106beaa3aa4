import { isIP } from 'node:net';

export type AddressRefusal = 'loopback_address' | 'link_local_address' | 'private_address' | 'reserved_address';

/** The IANA IPv4 special-purpose registry, multicast, and a cloud service that uses a public address. */
const v4Blocks = blocks([
  ['127.0.0.0/8', 'loopback_address'],
  ['169.254.0.0/16', 'link_local_address'],
  ['10.0.0.0/8', 'private_address'],
  ['172.16.0.0/12', 'private_address'],
  ['192.168.0.0/16', 'private_address'],
  ['100.64.0.0/10', 'private_address'], // shared address space, used by a cloud for its metadata service
  ['0.0.0.0/8', 'reserved_address'],
  ['192.0.0.0/24', 'reserved_address'],
  ['192.0.2.0/24', 'reserved_address'],
  ['192.31.196.0/24', 'reserved_address'],
  ['192.52.193.0/24', 'reserved_address'],
  ['192.88.99.0/24', 'reserved_address'],
  ['192.175.48.0/24', 'reserved_address'],
  ['198.18.0.0/15', 'reserved_address'],
  ['198.51.100.0/24', 'reserved_address'],
  ['203.0.113.0/24', 'reserved_address'],
  ['224.0.0.0/4', 'reserved_address'], // multicast
  ['240.0.0.0/4', 'reserved_address'],
  ['168.63.129.16/32', 'reserved_address'], // Azure's host agent, reachable from every virtual machine
]);

/** The IANA IPv6 special-purpose registry inside global unicast, and blocks outside it that get a more precise reason. */
const v6Blocks = blocks([
  ['::1/128', 'loopback_address'],
  ['fe80::/10', 'link_local_address'],
  ['fc00::/7', 'private_address'],
  ['fec0::/10', 'private_address'], // site-local, deprecated
  ['2001::/23', 'reserved_address'], // IETF protocol assignments, including Teredo
  ['2001:db8::/32', 'reserved_address'],
  ['2002::/16', 'reserved_address'], // 6to4
  ['2620:4f:8000::/48', 'reserved_address'],
  ['3fff::/20', 'reserved_address'],
]);
/** Everything assigned as global unicast. The rest of IPv6 is special, multicast or unassigned. */
const globalUnicast = block('2000::/3');

/** The ways to embed an IPv4 address in an IPv6 one: the block that shows it, and where the four bytes are. */
const embeddings: readonly { in: Block; at: readonly ((address: bigint) => bigint)[] }[] = [
  { in: block('::/96'), at: [bitsAt(96)] }, // compatible
  { in: block('::ffff:0:0/96'), at: [bitsAt(96)] }, // mapped
  { in: block('::ffff:0:0:0/96'), at: [bitsAt(96)] }, // translated
  { in: block('64:ff9b::/96'), at: [bitsAt(96)] }, // NAT64
  { in: block('64:ff9b:1::/48'), at: [bitsAt(96)] }, // local-use NAT64, in its usual layout
  { in: block('2002::/16'), at: [bitsAt(16)] }, // 6to4
  { in: block('2001::/32'), at: [bitsAt(32), (address) => bitsAt(96)(address) ^ 0xffffffffn] }, // Teredo: server, client
];
/** ISATAP is recognised by the interface id; it can have any prefix. */
const isatapIds = [0x00005efen, 0x02005efen];

interface Block {
  readonly bits: bigint;
  readonly shift: bigint;
  readonly refusal: AddressRefusal;
}

/** Undefined if the address is public. `address` is an IP address in any textual form, without brackets. */
export function addressRefusal(address: string): AddressRefusal | undefined {
  const bare = address.split('%')[0] ?? '';
  const family = isIP(bare);
  if (family === 4) return v4Refusal(v4Bits(bare));
  if (family === 6) return v6Refusal(v6Bits(bare));
  return 'reserved_address';
}

function v4Refusal(address: bigint): AddressRefusal | undefined {
  return v4Blocks.find((candidate) => contains(candidate, address))?.refusal;
}

function v6Refusal(address: bigint): AddressRefusal | undefined {
  const known = v6Blocks.find((candidate) => contains(candidate, address))?.refusal;
  if (known && known !== 'reserved_address') return known;
  // Except for ISATAP the block is refused anyway; the embedded address only gives a more precise reason.
  const inside = embedded(address)
    .map(v4Refusal)
    .find((refusal) => refusal !== undefined);
  if (inside) return inside;
  return known ?? (contains(globalUnicast, address) ? undefined : 'reserved_address');
}

function embedded(address: bigint): bigint[] {
  const found = embeddings.filter((form) => contains(form.in, address)).flatMap(({ at }) => at);
  if (isatapIds.includes(bitsAt(64)(address))) found.push(bitsAt(96));
  return found.map((read) => read(address));
}

/** 32 bits, counted from the left. */
function bitsAt(offset: number): (address: bigint) => bigint {
  return (address) => (address >> BigInt(96 - offset)) & 0xffffffffn;
}

function contains({ bits, shift }: Block, address: bigint): boolean {
  return address >> shift === bits;
}

function block(cidr: string, refusal: AddressRefusal = 'reserved_address'): Block {
  const [address = '', length] = cidr.split('/');
  const v6 = isIP(address) === 6;
  const shift = BigInt((v6 ? 128 : 32) - Number(length));
  return { bits: (v6 ? v6Bits(address) : v4Bits(address)) >> shift, shift, refusal };
}

function blocks(list: readonly (readonly [cidr: string, refusal: AddressRefusal])[]): Block[] {
  return list.map(([cidr, refusal]) => block(cidr, refusal));
}

function v4Bits(address: string): bigint {
  return address.split('.').reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n);
}

function v6Bits(address: string): bigint {
  // The URL parser normalises every spelling to hexadecimal groups, including an embedded dotted quad.
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = groups.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}
