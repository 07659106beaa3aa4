import { execFile } from 'node:child_process';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { debianBinary } from '../../../test/support/debian/debian.ts';
import { type Network, OWNER } from './machine.ts';
import { AS_OWNER, familyOf, Program, signalAll } from './processes.ts';

const run = promisify(execFile);

export interface Passwords {
  readonly superuser: string;
  readonly replication: string;
  readonly restapi: string;
  readonly wayfare: string;
}

/** Where all nodes keep their backups, and the password these are encrypted with. */
export interface Repository {
  readonly folder: string;
  readonly password: string;
}

/** One of the three machines: etcd, and Patroni with its PostgreSQL, configured by the files in deploy/ha. */
export class Node {
  readonly index: number;
  readonly name: string;
  readonly address: string;
  /** PostgreSQL's data is in here, alone. */
  readonly disk: string;
  readonly etcd: Program;
  readonly patroni: Program;
  /** Patroni's settings, and where metrics of backups are left. */
  readonly config: string;
  readonly metrics: string;
  readonly #prefix: readonly string[];
  readonly #env: Readonly<Record<string, string>>;

  private constructor(made: {
    index: number;
    address: string;
    disk: string;
    etcd: Program;
    patroni: Program;
    config: string;
    metrics: string;
    prefix: readonly string[];
    env: Readonly<Record<string, string>>;
  }) {
    this.index = made.index;
    this.name = nameOf(made.index);
    this.address = made.address;
    this.disk = made.disk;
    this.etcd = made.etcd;
    this.patroni = made.patroni;
    this.config = made.config;
    this.metrics = made.metrics;
    this.#prefix = made.prefix;
    this.#env = made.env;
  }

  /** Writes its files; nothing is started. */
  static async make(
    index: number,
    network: Network,
    folder: string,
    passwords: Passwords,
    repository: Repository | undefined,
  ): Promise<Node> {
    const home = join(folder, nameOf(index));
    const [disk, socket] = [join(home, 'disk'), join(home, 'run')];
    for (const part of [
      home,
      disk,
      socket,
      ...['etcd', 'spool', 'backup-log', 'metrics'].map((name) => join(home, name)),
    ])
      await ownedFolder(part);
    const [etcd, patroni, postgres] = await Promise.all([
      debianBinary('etcd'),
      debianBinary('patroni'),
      debianBinary('postgres'),
    ]);
    const words = {
      NODE_NAME: nameOf(index),
      NODE_ADDRESS: network.addresses[index] as string,
      ...addressWords(network),
      NETWORK: network.range,
      SUPERUSER_PASSWORD: passwords.superuser,
      REPLICATION_PASSWORD: passwords.replication,
      RESTAPI_PASSWORD: passwords.restapi,
      '/var/lib/etcd/wayfare': join(home, 'etcd'),
      '/var/lib/postgresql/15/wayfare': join(disk, 'data'),
      '/var/lib/postgresql/patroni.pgpass': join(home, 'pgpass'),
      '/usr/lib/postgresql/15/bin': dirname(postgres.path),
      '/var/run/postgresql': socket,
      // Without a repository, what cannot be archived would fill the disk.
      ...(repository ? {} : { 'archive_mode: "on"': 'archive_mode: "off"' }),
      // It would restart this machine.
      'mode: automatic': 'mode: off',
    };
    const config = join(home, 'patroni.yml');
    await writeFile(config, await filled('patroni.yml', words), { mode: 0o600 });
    if (OWNER) await chown(config, OWNER.uid, OWNER.gid);
    const settings = [...(await filled('etcd.env', words)).matchAll(/^(ETCD_\w+)=(.*)$/gm)];
    const prefix = network.prefix(index);
    const backups = repository && (await backupSettings(home, { data: join(disk, 'data'), socket }, repository));
    const env = {
      ...postgres.env,
      PATH: [dirname(postgres.path), ...(backups?.path ?? []), process.env.PATH].join(':'),
      LC_ALL: 'C.UTF-8',
      ...backups?.env,
    };
    return new Node({
      index,
      config,
      metrics: join(home, 'metrics'),
      prefix,
      env: {
        ...env,
        PGHOST: socket,
        PGUSER: 'postgres',
        METRICS_FOLDER: join(home, 'metrics'),
        PG_BIN: dirname(postgres.path),
      },
      address: words.NODE_ADDRESS,
      disk,
      etcd: new Program({
        command: [etcd.path],
        env: { ...etcd.env, ...Object.fromEntries(settings.map(([, name, value]) => [name, value])) },
        logFile: join(home, 'etcd.log'),
        prefix,
      }),
      patroni: new Program({
        command: [patroni.path, config],
        env: { ...env, ...patroni.env },
        logFile: join(home, 'patroni.log'),
        prefix,
      }),
    });
  }

  /** Of its PostgreSQL: the postmaster and its children; none if it does not run. */
  async postgres(): Promise<number[]> {
    const file = await readFile(join(this.disk, 'data', 'postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number(file.split('\n')[0]);
    if (!(pid > 0)) return [];
    // The file outlives a server that was killed, and its number may be another process's by now.
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return command.includes(join(this.disk, 'data')) ? familyOf(pid) : [];
  }

  /** Runs a program on this machine as the user who runs PostgreSQL, with its programs in the path. Returns what it printed. */
  async run(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const [program = '', ...args] = [...this.#prefix, ...AS_OWNER, ...command];
    const options = { cwd: '/', env: { ...this.#env, ...env }, maxBuffer: 2 ** 26 };
    return (await run(program, args, options)).stdout;
  }

  /** Where its programs are looked for. */
  get path(): string {
    return this.#env.PATH ?? '';
  }

  get data(): string {
    return join(this.disk, 'data');
  }

  async everything(): Promise<number[]> {
    return [...(await this.postgres()), ...[this.patroni.pid, this.etcd.pid].flatMap((pid) => pid ?? [])];
  }

  /** Starts what does not run. */
  start(): void {
    for (const program of [this.etcd, this.patroni]) if (program.pid === undefined) program.start();
  }

  async kill(): Promise<void> {
    const all = await this.everything();
    signalAll(all, 'SIGKILL');
    // A frozen process dies, too; wait until its end is reported to this process.
    await Promise.all([this.patroni.end('SIGKILL'), this.etcd.end('SIGKILL')]);
  }
}

export async function ownedFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  if (OWNER) await chown(path, OWNER.uid, OWNER.gid);
}

/** deploy/backup/pgbackrest.conf with the places of this node. */
async function backupSettings(
  home: string,
  { data, socket }: { data: string; socket: string },
  { folder, password }: Repository,
): Promise<{ path: string[]; env: Record<string, string> }> {
  const pgbackrest = await debianBinary('pgbackrest');
  const words = {
    '/var/lib/pgbackrest': folder,
    '/var/spool/pgbackrest': join(home, 'spool'),
    'repo1-cipher-pass=CHANGE_ME': `repo1-cipher-pass=${password}`,
    'pg1-path=/var/lib/postgresql/15/main': `pg1-path=${data}\npg1-socket-path=${socket}`,
    '[wayfare]': `log-path=${join(home, 'backup-log')}\n\n[wayfare]`,
  };
  const config = join(home, 'pgbackrest.conf');
  await writeFile(config, await filled('../backup/pgbackrest.conf', words), { mode: 0o600 });
  if (OWNER) await chown(config, OWNER.uid, OWNER.gid);
  return { path: [dirname(pgbackrest.path)], env: { ...pgbackrest.env, PGBACKREST_CONFIG: config } };
}

export const nameOf = (index: number): string => `node${index + 1}`;

export const addressWords = ({ addresses }: Network): Record<string, string> =>
  Object.fromEntries(addresses.map((address, i) => [`ADDRESS_${i + 1}`, address]));

/** A file of deploy/ha with its placeholders replaced. */
export async function filled(name: string, words: Readonly<Record<string, string>>): Promise<string> {
  let text = await readFile(join(import.meta.dirname, '..', name), 'utf8');
  for (const [word, value] of Object.entries(words)) text = text.replaceAll(word, value);
  return text;
}
