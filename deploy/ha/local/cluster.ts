import { randomBytes, randomInt } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { request } from 'undici';
import { debianBinary } from '../../../test/support/debian/debian.ts';
import { freePort } from '../../../test/support/program/ports.ts';
import { mountDisk, type Network, openNetwork } from './machine.ts';
import { addressWords, filled, Node, ownedFolder, type Passwords } from './node.ts';
import { Program } from './processes.ts';

/** As Patroni's REST interface describes a node. */
export interface Member {
  readonly name: string;
  readonly role: 'leader' | 'sync_standby' | 'replica';
  readonly state: string;
}

const NODES = 3;
const DISK_MB = 8_192;
const START_MS = 120_000;
const ANSWER_MS = 2_000;

/** What a later start in the same folder must find again. */
interface Kept {
  readonly network: number;
  readonly passwords: Passwords;
}

interface ClusterOptions {
  /** A folder for backups: the nodes archive their log there. Without it they archive nothing. */
  readonly repository?: string;
}

/**
 * Three nodes on one machine behind HAProxy, from the files in deploy/ha. Root gives each node a network and a disk of its own,
 * so that one can be cut off or run full; other users get loopback addresses and plain folders.
 */
export class Cluster implements AsyncDisposable {
  /** The address of the current leader. */
  readonly url: string;
  /** The address of the standbys. */
  readonly readUrl: string;
  readonly nodes: readonly Node[];
  readonly network: Network;
  readonly hasDisks: boolean;
  readonly #passwords: Passwords;
  readonly #superuserUrl: string;
  readonly #undo: AsyncDisposableStack;

  private constructor(made: {
    nodes: readonly Node[];
    network: Network;
    hasDisks: boolean;
    passwords: Passwords;
    ports: { primary: number; replicas: number };
    undo: AsyncDisposableStack;
  }) {
    const { passwords, ports } = made;
    this.url = `postgres://wayfare:${passwords.wayfare}@127.0.0.1:${ports.primary}/wayfare`;
    this.readUrl = `postgres://wayfare:${passwords.wayfare}@127.0.0.1:${ports.replicas}/wayfare`;
    this.#superuserUrl = `postgres://postgres:${passwords.superuser}@127.0.0.1:${ports.primary}`;
    this.nodes = made.nodes;
    this.network = made.network;
    this.hasDisks = made.hasDisks;
    this.#passwords = passwords;
    this.#undo = made.undo;
  }

  /** Continues with the data of an earlier start in the same folder, if there was one. */
  static async start(folder: string, { repository }: ClusterOptions = {}): Promise<Cluster> {
    await using undo = new AsyncDisposableStack();
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o755);
    const { network: n, passwords } = await kept(join(folder, 'cluster.json'));
    if (repository !== undefined) await ownedFolder(repository);
    const backups = repository === undefined ? undefined : { folder: repository, password: passwords.wayfare };
    const network = undo.use(await openNetwork(NODES, n));
    const nodes: Node[] = [];
    let hasDisks = false;
    for (let i = 0; i < NODES; i++) {
      const node = await Node.make(i, network, folder, passwords, backups);
      const disk = await mountDisk(join(folder, `${node.name}.disk`), node.disk, DISK_MB);
      if (disk) undo.use(disk);
      hasDisks = disk !== undefined;
      nodes.push(node);
    }
    undo.defer(async () => void (await Promise.all(nodes.map((node) => node.kill()))));
    const ports = { primary: await freePort(), replicas: await freePort() };
    const proxy = await proxyOf(folder, network, ports);
    for (const node of nodes) node.start();
    proxy.start();
    undo.defer(() => proxy.end('SIGKILL'));
    const cluster = new Cluster({ nodes, network, hasDisks, passwords, ports, undo: new AsyncDisposableStack() });
    await cluster.healthy(START_MS);
    await cluster.#prepare();
    cluster.#undo.use(undo.move());
    return cluster;
  }

  /** Both standbys follow the leader, and one of them confirms its commits. */
  async healthy(limitMs: number): Promise<void> {
    for (const end = performance.now() + limitMs; ; await wait(250)) {
      const members = await this.members();
      const following = await this.#asSuperuser((client) =>
        client.query("select from pg_stat_replication where state = 'streaming'"),
      ).catch(() => undefined);
      const isConfirmed = members.some(({ role }) => role === 'sync_standby');
      if (isConfirmed && following?.rowCount === NODES - 1) return;
      if (performance.now() > end) throw new Error(`the cluster is not whole: ${JSON.stringify(members)}`);
    }
  }

  /** According to the first node that answers. */
  async members(): Promise<readonly Member[]> {
    for (const { address } of this.nodes)
      try {
        const options = { headersTimeout: ANSWER_MS, bodyTimeout: ANSWER_MS, signal: AbortSignal.timeout(ANSWER_MS) };
        const answer = await request(`http://${address}:8008/cluster`, options);
        return ((await answer.body.json()) as { members?: Member[] }).members ?? [];
      } catch {}
    return [];
  }

  async nodeOf(role: Member['role']): Promise<Node> {
    const name = (await this.members()).find((member) => member.role === role)?.name;
    const node = this.nodes.find((node) => node.name === name);
    if (!node) throw new Error(`no node is ${role}`);
    return node;
  }

  /** Asks Patroni for another leader, as `patronictl switchover` does. */
  async switchover(): Promise<void> {
    const leader = await this.nodeOf('leader');
    const answer = await request(`http://${leader.address}:8008/switchover`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`patroni:${this.#passwords.restapi}`)}` },
      body: JSON.stringify({ leader: leader.name }),
      headersTimeout: 60_000,
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`the switchover was refused: ${answer.statusCode} ${text}`);
  }

  /** The database and its owner, as docs/operating.md makes them. */
  async #prepare(): Promise<void> {
    await this.#asSuperuser(async (client) => {
      if ((await client.query("select from pg_roles where rolname = 'wayfare'")).rowCount === 0)
        await client.query(`create role wayfare login createrole password '${this.#passwords.wayfare}'`);
      if ((await client.query("select from pg_database where datname = 'wayfare'")).rowCount === 0)
        await client.query('create database wayfare owner wayfare');
    });
  }

  /** On the leader. */
  async #asSuperuser<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({
      connectionString: `${this.#superuserUrl}/postgres`,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: START_MS,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return await work(client);
    } finally {
      await client.end().catch(() => {});
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Stop them cleanly, the leader last: otherwise it would wait for a standby to confirm its last commits.
    const stopped = Promise.all(this.nodes.map((node) => node.patroni.end('SIGTERM')));
    await Promise.race([stopped, wait(20_000, undefined, { ref: false })]);
    await this.#undo.disposeAsync();
  }
}

async function kept(file: string): Promise<Kept> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text) return JSON.parse(text) as Kept;
  const password = () => randomBytes(18).toString('hex');
  const passwords = { superuser: password(), replication: password(), restapi: password(), wayfare: password() };
  const made = { network: randomInt(1, 255), passwords };
  await writeFile(file, JSON.stringify(made), { mode: 0o600 });
  return made;
}

async function proxyOf(
  folder: string,
  network: Network,
  ports: { primary: number; replicas: number },
): Promise<Program> {
  const haproxy = await debianBinary('haproxy');
  const config = join(folder, 'haproxy.cfg');
  const words = {
    ...addressWords(network),
    '127.0.0.1:5000': `127.0.0.1:${ports.primary}`,
    '127.0.0.1:5001': `127.0.0.1:${ports.replicas}`,
  };
  await writeFile(config, await filled('haproxy.cfg', words), { mode: 0o644 });
  return new Program({
    command: [haproxy.path, '-db', '-f', config],
    env: haproxy.env,
    logFile: join(folder, 'haproxy.log'),
  });
}
