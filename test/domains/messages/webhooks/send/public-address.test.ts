import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { createSender } from '../../../../../src/domains/messages/webhooks/send/send.ts';
import { createGuard, TargetRefused } from '../../../../../src/domains/messages/webhooks/send/target.ts';
import { dnsServer } from '../../../../support/servers/dns-server.ts';
import {
  corners,
  hostileAnswers,
  specialV4,
  specialV6,
  v4Number,
  v4Spellings,
  v4Text,
  v6Number,
  v6Spellings,
  v6Wrappings,
} from '../hostile-targets.ts';

const noDns = {
  resolve4: () => Promise.reject(new Error('no name should be asked for')),
  resolve6: () => Promise.reject(new Error('no name should be asked for')),
};
const guard = createGuard({ trustedHosts: [], resolver: noDns as never });

async function verdict(url: string): Promise<string> {
  return guard.check(url).then(
    () => 'allowed',
    (error: unknown) => (error instanceof TargetRefused ? error.reason : String(error)),
  );
}

/** [url, expected reason or `*`] */
function hostileTargets(port: number): [string, string][] {
  const at = (host: string) => `https://${host}:${port}/hook`;
  const bareV4 = specialV4.flatMap(([cidr, reason]) =>
    corners(cidr).flatMap((n) => v4Spellings(n).map((host): [string, string] => [at(host), reason])),
  );
  const wrapped = specialV4.flatMap(([cidr, reason]) =>
    corners(cidr).flatMap((n) =>
      v6Wrappings(n).flatMap((wide) => {
        // ::1 and :: are special themselves; in the rarer layouts of local-use NAT64 the block's own reason stands.
        const unclear = wide <= 1n || wide >> 80n === v6Number('64:ff9b:1::') >> 80n;
        const expected = unclear ? '*' : reason;
        return v6Spellings(wide).map((host): [string, string] => [at(host), expected]);
      }),
    ),
  );
  const bareV6 = specialV6.flatMap(([cidr, reason]) =>
    corners(cidr).flatMap((n) => v6Spellings(n).map((host): [string, string] => [at(host), reason])),
  );
  // Even a public address is refused where it travels inside a special block.
  const wrappedPublic = v6Wrappings(v4Number('8.8.8.8'))
    .slice(0, -2)
    .flatMap((n) => v6Spellings(n).map((host): [string, string] => [at(host), 'reserved_address']));
  const names: [string, string][] = [
    ['localhost', 'loopback_address'],
    ['LOCALHOST', 'loopback_address'],
    ['localhost.', 'loopback_address'],
    ['ｌｏｃａｌｈｏｓｔ', 'loopback_address'],
    ['a.b.localhost', 'loopback_address'],
    ['metadata.google.internal', 'link_local_address'],
    ['METADATA.google.internal.', 'link_local_address'],
    ['metadata.goog', 'link_local_address'],
    ['instance-data', 'link_local_address'],
    ['metadata.tencentyun.com', 'link_local_address'],
    ['anything.internal', 'private_address'],
    ['printer.local', 'private_address'],
    ['router.home.arpa', 'private_address'],
  ].map(([host = '', reason = '']) => [at(host), reason]);
  const shapes: [string, string][] = [
    ['', 'invalid_url'],
    ['hooks.example.com/x', 'invalid_url'],
    ['https://', 'invalid_url'],
    ['https://[::1', 'invalid_url'],
    ['https://[fe80::1%25eth0]/', 'invalid_url'],
    ['https://256.1.1.1/', 'invalid_url'],
    ['https://1.2.3.4.5/', 'invalid_url'],
    ['https://8.8.8.8:99999/', 'invalid_url'],
    ['http://8.8.8.8/', 'not_https'],
    ['ftp://8.8.8.8/', 'not_https'],
    ['file:///etc/passwd', 'not_https'],
    ['javascript:alert(1)', 'not_https'],
    ['gopher://8.8.8.8:70/', 'not_https'],
    ['https://user:pass@8.8.8.8/', 'has_credentials'],
    ['https://user@8.8.8.8/', 'has_credentials'],
    ['https://:pass@8.8.8.8/', 'has_credentials'],
    ['https://8.8.8.8@127.0.0.1/', 'has_credentials'],
    ['https://127.0.0.1#@8.8.8.8/', 'loopback_address'],
    ['https://127.0.0.1\\@8.8.8.8/', 'loopback_address'],
    ['https:127.0.0.1', 'loopback_address'],
    ['https:///127.0.0.1/', 'loopback_address'],
    ['\thttps://127.0.0.1/', 'loopback_address'],
    ['https://127.0.0\n.1/', 'loopback_address'],
    ['https://①②⑦.⓪.⓪.①/', 'loopback_address'],
    ['https://127。0．0｡1/', 'loopback_address'],
    ['https://127.1/', 'loopback_address'],
    ['https://0/', 'reserved_address'],
    ['https://4294967296/', 'invalid_url'],
    ['https://0x100000000/', 'invalid_url'],
    ['https://127.0.0.1:0/', 'loopback_address'],
    ['https://127.0.0.1:22/', 'loopback_address'],
    ['https://127.0.0.1:65535/', 'loopback_address'],
    ['https://127.0.0.1:65536/', 'invalid_url'],
    ['https://127.0.0.1:080/', 'loopback_address'],
    ['https://169.254.169.254./latest/meta-data/', 'link_local_address'],
    ['https://127.0.0.1../', 'unresolvable_host'],
    ['https://loc\u00adalhost/', 'loopback_address'],
    ['https://%6c%6f%63alhost/', 'loopback_address'],
    ['https://a%00.example/', 'invalid_url'],
  ];
  return [...bareV4, ...wrapped, ...bareV6, ...wrappedPublic, ...names, ...shapes];
}

test('every special address is refused with its reason, bare or wrapped, however a URL spells it', async () => {
  const targets = new Map(hostileTargets(8443));
  assert.ok(targets.size >= 2000, `only ${targets.size} hostile targets`);
  const wrong: string[] = [];
  for (const [url, expected] of targets) {
    const got = await verdict(url);
    const right = expected === '*' ? /^(loopback|link_local|private|reserved)_address$/.test(got) : got === expected;
    if (!right) wrong.push(`${url}: ${got}, expected ${expected}`);
  }
  assert.deepEqual(wrong, []);
});

test('no hostile target gets a connection: counted at a listener on every address of this machine', async () => {
  let connections = 0;
  const listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, '::', resolve));
  const { port } = listener.address() as { port: number };
  try {
    const sender = createSender({ guard });
    const targets = new Map(hostileTargets(port));
    for (const url of targets.keys()) {
      const answer = await sender.send(url, {}, '{}');
      assert.equal(answer.requestSent, false, url);
      assert.match(answer.error, /^blocked: [a-z_]+$/, url);
    }
    assert.equal(connections, 0);

    // The listener does count: the trusted host is the only door.
    const trusting = createSender({ guard: createGuard({ trustedHosts: [`127.0.0.1:${port}`] }) });
    await trusting.send(`http://127.0.0.1:${port}/`, {}, '{}');
    assert.equal(connections, 1);
    await Promise.all([sender.close(), trusting.close()]);
  } finally {
    listener.close();
  }
});

test('a name is refused if any address it resolves to is, through CNAMEs too', async () => {
  let answers: { A: readonly string[]; AAAA: readonly string[] } = { A: [], AAAA: [] };
  await using dns = await dnsServer((_name, type) => answers[type]);
  const resolving = createGuard({ trustedHosts: [], resolver: dns.resolver });
  const wrong: string[] = [];
  const judge = async (): Promise<string> =>
    resolving.check('https://receiver.example/hook').then(
      () => 'allowed',
      (error: TargetRefused) => error.reason,
    );
  for (const [name, A, AAAA, expected] of hostileAnswers) {
    answers = { A, AAAA };
    const got = await judge();
    const right = expected === '*' ? /^(loopback|link_local|private|reserved)_address$/.test(got) : got === expected;
    if (!right) wrong.push(`${name}: ${got}, expected ${expected}`);
  }
  assert.deepEqual(wrong, []);
  answers = { A: ['a.example', '93.184.216.34'], AAAA: ['a.example', '2606:4700:4700::1111'] };
  assert.equal(await judge(), 'allowed', 'a CNAME to public addresses is fine');
});

function inside(n: bigint, cidr: string): boolean {
  const [address = '', length] = cidr.split('/');
  const v6 = address.includes(':');
  const shift = BigInt((v6 ? 128 : 32) - Number(length));
  return n >> shift === (v6 ? v6Number(address) : v4Number(address)) >> shift;
}

test('no public address is refused, the neighbours of every special block included', async () => {
  const publicV4 = (n: bigint) => n >= 0n && n < 1n << 32n && !specialV4.some(([cidr]) => inside(n, cidr));
  const publicV6 = (n: bigint) => inside(n, '2000::/3') && !specialV6.some(([cidr]) => inside(n, cidr));
  const neighbours = (cidrs: readonly (readonly [string, string])[]) =>
    cidrs.flatMap(([cidr]) => {
      const [first = 0n] = corners(cidr);
      const last = corners(cidr).at(-1) ?? 0n;
      return [first - 1n, last + 1n];
    });
  // Spread evenly over each whole space, so that every stretch between two blocks is met.
  const spreadV4 = Array.from({ length: 300 }, (_, i) => (BigInt(i) * 0x1_0000_0000n) / 300n + 77n);
  const spreadV6 = Array.from({ length: 100 }, (_, i) => v6Number('2000::') + BigInt(i) * (1n << 118n) + 0x1234n);
  const v4 = [...neighbours(specialV4), ...spreadV4].filter(publicV4);
  const v6 = [...neighbours(specialV6), ...spreadV6, v6Number('2606:4700:4700::1111')].filter(publicV6);
  const isatap = v6Wrappings(v4Number('8.8.8.8')).slice(-2);
  const urls = new Set([
    ...v4.flatMap((n) => [`https://${v4Text(n)}/`, `https://${v4Text(n)}:8443/hook?x=1`]),
    ...[...v6, ...isatap].flatMap((n) => v6Spellings(n).map((host) => `https://${host}/`)),
  ]);
  assert.ok(urls.size >= 300, `only ${urls.size} public controls`);
  const refused: string[] = [];
  for (const url of urls) if ((await verdict(url)) !== 'allowed') refused.push(`${url}: ${await verdict(url)}`);
  assert.deepEqual(refused, []);
});

test('a trusted host must match host and port exactly, and excuses neither credentials nor another scheme', async () => {
  const trusting = createGuard({ trustedHosts: ['127.0.0.1:9000', '[::1]:9000'], resolver: noDns as never });
  const reason = (url: string) =>
    trusting.check(url).then(
      () => 'allowed',
      (error: TargetRefused) => error.reason,
    );
  assert.equal(await reason('http://127.0.0.1:9000/hook'), 'allowed');
  assert.equal(await reason('https://127.0.0.1:9000/hook'), 'allowed');
  assert.equal(await reason('http://[::1]:9000/hook'), 'allowed');
  assert.equal(await reason('http://2130706433:9000/hook'), 'allowed'); // the same address, spelled oddly
  assert.equal(await reason('http://127.0.0.1:9001/hook'), 'not_https');
  assert.equal(await reason('https://127.0.0.1:9001/hook'), 'loopback_address');
  assert.equal(await reason('https://127.0.0.2:9000/hook'), 'loopback_address');
  assert.equal(await reason('http://a:b@127.0.0.1:9000/hook'), 'has_credentials');
  assert.equal(await reason('ftp://127.0.0.1:9000/hook'), 'not_https');
});
