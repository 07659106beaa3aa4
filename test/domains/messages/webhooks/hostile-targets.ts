/** Special-purpose blocks as IANA lists them, and multicast, each with the reason the guard must give. */
export const specialV4: readonly (readonly [cidr: string, reason: string])[] = [
  ['0.0.0.0/8', 'reserved_address'],
  ['10.0.0.0/8', 'private_address'],
  ['100.64.0.0/10', 'private_address'],
  ['127.0.0.0/8', 'loopback_address'],
  ['169.254.0.0/16', 'link_local_address'],
  ['172.16.0.0/12', 'private_address'],
  ['192.0.0.0/24', 'reserved_address'],
  ['192.0.0.0/29', 'reserved_address'],
  ['192.0.0.8/32', 'reserved_address'],
  ['192.0.0.9/32', 'reserved_address'],
  ['192.0.0.10/32', 'reserved_address'],
  ['192.0.0.170/32', 'reserved_address'],
  ['192.0.0.171/32', 'reserved_address'],
  ['192.0.2.0/24', 'reserved_address'],
  ['192.31.196.0/24', 'reserved_address'],
  ['192.52.193.0/24', 'reserved_address'],
  ['192.88.99.0/24', 'reserved_address'],
  ['192.168.0.0/16', 'private_address'],
  ['192.175.48.0/24', 'reserved_address'],
  ['198.18.0.0/15', 'reserved_address'],
  ['198.51.100.0/24', 'reserved_address'],
  ['203.0.113.0/24', 'reserved_address'],
  ['224.0.0.0/4', 'reserved_address'],
  ['240.0.0.0/4', 'reserved_address'],
  ['255.255.255.255/32', 'reserved_address'],
  // Metadata and host services of clouds
  ['168.63.129.16/32', 'reserved_address'],
  ['169.254.169.254/32', 'link_local_address'],
  ['169.254.170.2/32', 'link_local_address'],
  ['169.254.0.23/32', 'link_local_address'],
  ['100.100.100.200/32', 'private_address'],
  ['192.0.0.192/32', 'reserved_address'],
];

/** `*`: any reason will do, because it depends on the address embedded inside. */
export const specialV6: readonly (readonly [cidr: string, reason: string])[] = [
  ['::1/128', 'loopback_address'],
  ['::/128', 'reserved_address'],
  ['::ffff:0:0/96', '*'],
  ['64:ff9b::/96', '*'],
  ['64:ff9b:1::/48', '*'],
  ['100::/64', 'reserved_address'],
  ['100:0:0:1::/64', 'reserved_address'],
  ['2001::/23', '*'],
  ['2001::/32', '*'],
  ['2001:1::1/128', 'reserved_address'],
  ['2001:1::2/128', 'reserved_address'],
  ['2001:1::3/128', 'reserved_address'],
  ['2001:2::/48', 'reserved_address'],
  ['2001:3::/32', 'reserved_address'],
  ['2001:4:112::/48', 'reserved_address'],
  ['2001:10::/28', 'reserved_address'],
  ['2001:20::/28', 'reserved_address'],
  ['2001:30::/28', 'reserved_address'],
  ['2001:db8::/32', 'reserved_address'],
  ['2002::/16', '*'],
  ['2620:4f:8000::/48', 'reserved_address'],
  ['3fff::/20', 'reserved_address'],
  ['5f00::/16', 'reserved_address'],
  ['fc00::/7', 'private_address'],
  ['fe80::/10', 'link_local_address'],
  ['fec0::/10', 'private_address'],
  ['ff00::/8', 'reserved_address'],
  // Unassigned
  ['200::/7', 'reserved_address'],
  ['4000::/3', 'reserved_address'],
  ['e000::/4', 'reserved_address'],
  // Metadata services
  ['fd00:ec2::254/128', 'private_address'],
  ['fd20:ce::254/128', 'private_address'],
];

export const v4Number = (text: string): bigint => text.split('.').reduce((all, byte) => all * 256n + BigInt(byte), 0n);
export const v4Text = (n: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (n >> shift) & 255n).join('.');

export const v6Number = (text: string): bigint => {
  const [head = '', tail] = text.split('::');
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return groups.reduce((all, group) => all * 65536n + BigInt(`0x${group}`), 0n);
};
const v6Groups = (n: bigint): string[] =>
  Array.from({ length: 8 }, (_, i) => ((n >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));

/** First, middle and last address of a block. */
export function corners(cidr: string): bigint[] {
  const [address = '', length] = cidr.split('/');
  const v6 = address.includes(':');
  const size = 1n << BigInt((v6 ? 128 : 32) - Number(length));
  const first = v6 ? v6Number(address) : v4Number(address);
  return [...new Set([first, first + size / 2n, first + size - 1n])];
}

/** Spellings of one IPv4 address that a URL parser takes for it. */
export function v4Spellings(n: bigint): string[] {
  const bytes = [24n, 16n, 8n, 0n].map((shift) => (n >> shift) & 255n);
  const [a = 0n, b = 0n, c = 0n, d = 0n] = bytes;
  const plain = v4Text(n);
  const octal = (part: bigint) => `0${part.toString(8)}`;
  const hex = (part: bigint) => `0x${part.toString(16)}`;
  return [
    plain,
    `${plain}.`,
    n.toString(),
    hex(n),
    `0X${n.toString(16).toUpperCase()}`,
    octal(n),
    bytes.map(octal).join('.'),
    bytes.map(hex).join('.'),
    bytes.map((part) => `0x000${part.toString(16)}`).join('.'),
    `${a}.${(b << 16n) | (c << 8n) | d}`,
    `${hex(a)}.${octal(b)}.${(c << 8n) | d}`,
    [...plain].map((char) => (char === '.' ? '。' : String.fromCodePoint(0xff10 + Number(char)))).join(''),
    [...plain].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(''),
  ];
}

/** Spellings of one IPv6 address, brackets included. */
export function v6Spellings(n: bigint): string[] {
  const groups = v6Groups(n);
  const dotted = `${groups.slice(0, 6).join(':')}:${v4Text(n & 0xffffffffn)}`;
  const short = new URL(`http://[${groups.join(':')}]/`).hostname;
  return [
    short,
    `[${groups.join(':')}]`,
    `[${groups.map((group) => group.padStart(4, '0').toUpperCase()).join(':')}]`,
    `[${dotted}]`,
  ];
}

/** Every IPv6 form that carries the IPv4 address `n`. */
export function v6Wrappings(n: bigint): bigint[] {
  const high = n >> 16n;
  const low = n & 0xffffn;
  const hex = (part: bigint) => part.toString(16);
  return [
    n, // compatible
    v6Number('::ffff:0:0') | n, // mapped
    v6Number('::ffff:0:0:0') | n, // translated
    v6Number('64:ff9b::') | n,
    v6Number('64:ff9b:1::') | n,
    v6Number('64:ff9b:1:abcd::') | n,
    v6Number(`64:ff9b:1:${hex(high)}::`) | (low << 40n), // the /48 layout of local-use NAT64
    v6Number('64:ff9b:1:0::') | ((n >> 24n) << 64n) | ((n & 0xffffffn) << 32n), // the /56 layout
    v6Number('64:ff9b:1:0::') | (n << 24n), // the /64 layout
    v6Number(`2002:${hex(high)}:${hex(low)}::1`), // 6to4
    v6Number('2001:0:808:808::') | (n ^ 0xffffffffn), // Teredo client
    v6Number(`2001:0:${hex(high)}:${hex(low)}::`) | (0x08080808n ^ 0xffffffffn), // Teredo server
    v6Number('2606:4700::5efe:0:0') | n, // ISATAP
    v6Number('2606:4700::200:5efe:0:0') | n,
  ];
}

/** What a hostile name server may answer, for the families A and AAAA, and the reason the guard must give. */
export const hostileAnswers: readonly (readonly [
  name: string,
  a: readonly string[],
  aaaa: readonly string[],
  reason: string,
])[] = [
  // A name like 127.0.0.1.nip.io, for every special block of either family
  ...specialV4.map(([cidr, reason]) => [cidr, [v4Text(corners(cidr)[0] ?? 0n)], [], reason] as const),
  ...specialV6.map(([cidr, reason]) => [cidr, [], [v6Groups(corners(cidr)[0] ?? 0n).join(':')], reason] as const),
  ...v6Wrappings(v4Number('169.254.169.254')).map((n, i) => {
    const inRareLayout = i >= 6 && i <= 8;
    return [`embedded ${i}`, [], [v6Groups(n).join(':')], inRareLayout ? '*' : 'link_local_address'] as const;
  }),
  ['public first', ['93.184.216.34', '10.0.0.1'], [], 'private_address'],
  ['private first', ['10.0.0.1', '93.184.216.34'], [], 'private_address'],
  ['one among many', [...Array(20).fill('93.184.216.34'), '127.0.0.1'], [], 'loopback_address'],
  ['public A, private AAAA', ['93.184.216.34'], ['fd00:ec2::254'], 'private_address'],
  ['private A, public AAAA', ['169.254.169.254'], ['2606:4700:4700::1111'], 'link_local_address'],
  ['CNAME', ['intranet.example', '192.168.1.1'], [], 'private_address'],
  ['CNAME to a metadata service', ['metadata.google.internal', '169.254.169.254'], [], 'link_local_address'],
  ['chain of CNAMEs', ['a.example', 'b.example', 'c.example', '168.63.129.16'], [], 'reserved_address'],
  ['chain of CNAMEs, mixed', ['a.example', 'b.example', '93.184.216.34', '127.0.0.1'], [], 'loopback_address'],
  ['CNAME without an address', ['a.example'], [], 'unresolvable_host'],
  ['nothing', [], [], 'unresolvable_host'],
];
