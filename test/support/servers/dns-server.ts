import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** A name server of the test's own: `answer` says what a name resolves to, each time it is asked. */
interface DnsServer extends AsyncDisposable {
  readonly resolver: Resolver;
  /** Names as they were asked for, in order. */
  readonly asked: { readonly name: string; readonly type: 'A' | 'AAAA' }[];
}

const TYPES = { 1: 'A', 28: 'AAAA' } as const;

/**
 * `answer` returns addresses, none (no such data), or undefined to stay silent. Anything that is not an address is a CNAME, to
 * which the answers after it belong.
 */
export async function dnsServer(answer: (name: string, type: 'A' | 'AAAA') => readonly string[] | undefined) {
  const socket = createSocket('udp4');
  const asked: { name: string; type: 'A' | 'AAAA' }[] = [];
  socket.on('message', (query, from) => {
    const { name, end } = readName(query);
    const type = TYPES[query.readUInt16BE(end) as 1 | 28];
    asked.push({ name, type });
    const addresses = answer(name, type);
    if (addresses) socket.send(reply(query, end + 4, addresses), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver({ timeout: 20_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  const server: DnsServer = {
    resolver,
    asked,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => socket.close(() => resolve()));
    },
  };
  return server;
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}

function reply(query: Buffer, questionEnd: number, addresses: readonly string[]): Buffer {
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  let owner: Buffer = Buffer.from([0xc0, 12]);
  const records = addresses.map((answer) => {
    const type = { 0: 5, 4: 1, 6: 28 }[isIP(answer)] ?? 0;
    const data =
      type === 5 ? nameBytes(answer) : type === 1 ? Buffer.from(answer.split('.').map(Number)) : v6Bytes(answer);
    const record = Buffer.concat([owner, Buffer.from([0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data]);
    if (type === 5) owner = data;
    return record;
  });
  return Buffer.concat([header, query.subarray(12, questionEnd), ...records]);
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function v6Bytes(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
