import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { debianBinary } from '../../../test/support/debian/debian.ts';
import { type Network, OWNER } from './machine.ts';
import { familyOf, Program, signalAll } from './processes.ts';

export interface Passwords {
  readonly superuser: string;
  readonly replication: string;
  readonly restapi: string;
  readonly wayfare: string;
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

  private constructor(made: { index: number; address: string; disk: string; etcd: Program; patroni: Program }) {
    this.index = made.index;
    this.name = nameOf(made.index);
    this.address = made.address;
    this.disk = made.disk;
    this.etcd = made.etcd;
    this.patroni = made.patroni;
  }

  /** Writes its files; nothing is started. */
  static async make(index: number, network: Network, folder: string, passwords: Passwords): Promise<Node> {
    const home = join(folder, nameOf(index));
    const [disk, run] = [join(home, 'disk'), join(home, 'run')];
    for (const part of [home, disk, run, join(home, 'etcd')]) {
      await mkdir(part, { recursive: true });
      if (OWNER) await chown(part, OWNER.uid, OWNER.gid);
    }
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
      '/var/run/postgresql': run,
      // It has no repository; what cannot be archived would fill the disk.
      'archive_mode: "on"': 'archive_mode: "off"',
      // It would restart this machine.
      'mode: automatic': 'mode: off',
    };
    const config = join(home, 'patroni.yml');
    await writeFile(config, await filled('patroni.yml', words), { mode: 0o600 });
    if (OWNER) await chown(config, OWNER.uid, OWNER.gid);
    const settings = [...(await filled('etcd.env', words)).matchAll(/^(ETCD_\w+)=(.*)$/gm)];
    const prefix = network.prefix(index);
    return new Node({
      index,
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
        env: { ...postgres.env, ...patroni.env, LC_ALL: 'C.UTF-8' },
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

export const nameOf = (index: number): string => `node${index + 1}`;

export const addressWords = ({ addresses }: Network): Record<string, string> =>
  Object.fromEntries(addresses.map((address, i) => [`ADDRESS_${i + 1}`, address]));

/** A file of deploy/ha with its placeholders replaced. */
export async function filled(name: string, words: Readonly<Record<string, string>>): Promise<string> {
  let text = await readFile(join(import.meta.dirname, '..', name), 'utf8');
  for (const [word, value] of Object.entries(words)) text = text.replaceAll(word, value);
  return text;
}
