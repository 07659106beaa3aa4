import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ip = (...words: string[]) => run('ip', words);

/** Simulates three machines. As root, each has its own network, which can be cut; other users share this machine's loopback. */
export interface Network extends AsyncDisposable {
  readonly addresses: readonly string[];
  /** The addresses all of them may connect from, as in pg_hba.conf. */
  readonly range: string;
  /** What to put before a command to run it on machine `i`. */
  prefix(i: number): readonly string[];
  /** Undefined: they cannot be cut off without root. */
  readonly cut: ((i: number, isCut: boolean) => Promise<void>) | undefined;
}

const isRoot = process.getuid?.() === 0;
const postgresUser = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
/** PostgreSQL refuses to run as root. The user postgres, where there is one, is let in by its socket, as on a real node. */
export const OWNER = isRoot
  ? { uid: Number(postgresUser?.[1] ?? 65534), gid: Number(postgresUser?.[2] ?? 65534) }
  : undefined;
/** Whether who runs PostgreSQL is let in by its socket, which backups need. */
export const isPostgresUser = OWNER !== undefined && postgresUser !== null;

/** `n` distinguishes networks on one machine; the same `n` gives the same addresses. */
export async function openNetwork(machines: number, n: number): Promise<Network> {
  return isRoot ? namespaces(machines, n) : loopback(machines, n);
}

function loopback(machines: number, n: number): Network {
  const net = `127.213.${n}`;
  return {
    addresses: Array.from({ length: machines }, (_, i) => `${net}.${i + 1}`),
    range: '127.0.0.0/8',
    prefix: () => [],
    cut: undefined,
    async [Symbol.asyncDispose]() {},
  };
}

/** A network namespace for each machine, joined by a bridge that this process reaches, too. Nothing leads outside. */
async function namespaces(machines: number, n: number): Promise<Network> {
  await using undo = new AsyncDisposableStack();
  const net = `10.213.${n}`;
  const bridge = `wfha${n}`;
  await ip('link', 'add', bridge, 'type', 'bridge');
  undo.defer(async () => void (await ip('link', 'del', bridge)));
  await ip('addr', 'add', `${net}.254/24`, 'dev', bridge);
  await ip('link', 'set', bridge, 'up');
  const addresses: string[] = [];
  for (let i = 0; i < machines; i++) {
    const name = nameOf(n, i);
    const address = `${net}.${i + 1}`;
    await ip('netns', 'add', name);
    undo.defer(async () => void (await ip('netns', 'del', name)));
    await ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    await ip('link', 'set', name, 'master', bridge, 'up');
    await ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    for (const link of ['lo', 'eth0']) await ip('-n', name, 'link', 'set', link, 'up');
    addresses.push(address);
  }
  const kept = undo.move();
  return {
    addresses,
    range: `${net}.0/24`,
    prefix: (i) => ['ip', 'netns', 'exec', nameOf(n, i)],
    cut: async (i, isCut) => void (await ip('link', 'set', nameOf(n, i), isCut ? 'down' : 'up')),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const nameOf = (network: number, i: number): string => `wfha${network}n${i + 1}`;

/** A file system in a file, so that it can be full. Undefined: that takes root. */
export async function mountDisk(file: string, folder: string, megabytes: number): Promise<AsyncDisposable | undefined> {
  if (!isRoot) return undefined;
  if (!existsSync(file)) {
    await run('truncate', ['-s', `${megabytes}M`, file]);
    await run('mkfs.ext4', ['-q', '-F', '-m', '0', file]);
  }
  await run('mount', ['-o', 'loop', file, folder]);
  if (OWNER) await chown(folder, OWNER.uid, OWNER.gid);
  return {
    async [Symbol.asyncDispose]() {
      await run('umount', ['-l', folder]);
    },
  };
}
