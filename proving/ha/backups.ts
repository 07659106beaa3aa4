import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Cluster } from '../../deploy/ha/local/cluster.ts';
import { isPostgresUser, OWNER } from '../../deploy/ha/local/machine.ts';
import { type Node, ownedFolder } from '../../deploy/ha/local/node.ts';
import { debianBinary } from '../../test/support/debian/debian.ts';
import { readableCheckout } from '../../test/support/program/readable-checkout.ts';
import type { Acknowledged } from './buyers.ts';

export const BACKUPS = 'backups across a failover, and a restore of the cluster';

/** Why they cannot be tried here. */
export const noBackups = (): string | undefined =>
  isPostgresUser
    ? undefined
    : 'only root can become the user postgres, whom the nodes let in without a password, and there must be one';

const WHOLE_AGAIN_MS = 180_000;
const STANZA_MS = 120_000;

interface BackupFindings {
  readonly rows: readonly (readonly [string, string])[];
  /** Each as a sentence. */
  readonly wrong: readonly string[];
}

interface Moment {
  readonly at: string;
  /** Acknowledged before it, so it must have them. */
  readonly had: readonly Acknowledged[];
}

/** What a node's units and an operator run, with the files of deploy/backup and deploy/ha. */
export class Backups {
  readonly #cluster: Cluster;
  readonly #checkout: string;
  /** Where drills put what they restore. */
  readonly #drills: string;
  readonly #rows: [string, string][] = [];
  readonly #wrong: string[] = [];

  private constructor(cluster: Cluster, checkout: string, drills: string) {
    this.#cluster = cluster;
    this.#checkout = checkout;
    this.#drills = drills;
  }

  /** Makes the repository, as docs/cluster.md says. */
  static async begin(cluster: Cluster, folder: string): Promise<Backups> {
    const leader = await cluster.nodeOf('leader');
    // PostgreSQL archives already, and whoever pushes its log holds the lock now and then.
    for (const command of ['stanza-create', 'check'])
      await repeated(() => leader.run(['pgbackrest', '--stanza=wayfare', command]));
    const drills = join(folder, 'drills');
    await ownedFolder(drills);
    return new Backups(cluster, await readableCheckout(OWNER ?? {}, join(folder, 'checkout')), drills);
  }

  get findings(): BackupFindings {
    return { rows: this.#rows, wrong: this.#wrong };
  }

  /** The unit's command on every node, as its timer runs it: the leader takes the backup, and all three say when it was. */
  async take(kind: 'full' | 'diff'): Promise<void> {
    const leader = await this.#cluster.nodeOf('leader');
    const from = performance.now();
    const others = this.#cluster.nodes.filter((node) => node !== leader);
    await this.#script(leader, ['take', kind]);
    this.#row(`${kind} backup by ${leader.name}, then the leader`, from);
    const said = await Promise.all(others.map((node) => this.#script(node, ['take', kind])));
    if (!said.every((text) => text.includes('this is a standby'))) this.#wrong.push('a standby took a backup');
    const times = await Promise.all(this.#cluster.nodes.map(timeOfBackup));
    if (new Set(times).size > 1 || !(Number(times[0]) > Date.now() / 1_000 - 3_600))
      this.#wrong.push(`the nodes do not agree when the last backup was: ${times}`);
  }

  /** A moment of which every purchase acknowledged so far is in the past. It must lie after the end of a backup, to the second. */
  async moment(acknowledged: readonly Acknowledged[]): Promise<Moment> {
    await wait(2_000);
    const had = [...acknowledged];
    const [row] = await this.#ask<{ at: string }>('select clock_timestamp()::text as at');
    return { at: row?.at ?? '', had };
  }

  /** Waits until all that was committed so far is in the repository: within `archive_timeout` it comes there by itself. */
  async #archived(): Promise<void> {
    const leader = await this.#cluster.nodeOf('leader');
    const ask = async (statement: string) => (await leader.run(['psql', '-XAtc', statement, 'postgres'])).trim();
    const last = await ask('select pg_walfile_name(pg_switch_wal())');
    for (const end = performance.now() + STANZA_MS; ; await wait(250)) {
      if ((await ask('select last_archived_wal from pg_stat_archiver')) >= last) return;
      if (performance.now() > end) throw new Error(`${last} is not archived`);
    }
  }

  /** Restores beside the cluster, on a standby, and proves the ledger. */
  async drill(secret: string, at?: Moment): Promise<void> {
    await this.#archived();
    const from = performance.now();
    const node = await this.#cluster.nodeOf('replica');
    const answer = await this.#script(node, ['drill', ...(at ? [at.at] : [])], {
      WAYFARE_SECRET: secret,
      WAYFARE_HOME: this.#checkout,
      DRILL_FOLDER: this.#drills,
    });
    this.#row(`drill ${at ? 'to a moment' : 'to the end of the log'}, its ledger proved`, from);
    if (JSON.parse(answer).ok !== true) this.#wrong.push(`a drill did not prove its ledger: ${answer}`);
  }

  /** The cluster as it was at the moment: one node is restored, the others copy it. */
  async restore({ at, had }: Moment): Promise<void> {
    const [after] = await this.#ask<{ ids: string[] }>(
      `select coalesce(array_agg(id::text), '{}') as ids from live.orders where created_at > '${at}'`,
    );
    await this.restoreNodes(at);
    const [row] = await this.#ask<{ ids: string[] }>(`select array_agg(id::text) as ids from live.orders`);
    const found = new Set(row?.ids);
    const lost = had.filter(({ orderId }) => !found.has(orderId));
    const extra = (after?.ids ?? []).filter((id) => found.has(id));
    if (lost.length > 0) this.#wrong.push(`${lost.length} purchases from before the moment are not restored`);
    if (extra.length > 0) this.#wrong.push(`${extra.length} orders from after the moment are there`);
    if (!after?.ids.length) this.#wrong.push('nothing was bought after the moment, so it proves nothing');
    this.#rows.push([
      'orders after the restore, and those from after the moment that are gone',
      `${found.size}, ${after?.ids.length ?? 0}`,
    ]);
  }

  /**
   * As docs/cluster.md says: one node by deploy/ha/restore.sh, the others as copies of it. Without a moment, as after the loss of all
   * three machines: no node has data, and the restore goes to the end of the archived log.
   */
  async restoreNodes(at?: string): Promise<void> {
    const { nodes } = this.#cluster;
    await this.#archived();
    const patroni = await debianBinary('patroni');
    const from = performance.now();
    await Promise.all(nodes.map((node) => node.patroni.end('SIGTERM')));
    if (!at) for (const node of nodes) await rm(node.data, { recursive: true, force: true });
    const [first, ...others] = nodes.toReversed() as [Node, ...Node[]];
    await first.run(['sh', join(this.#checkout, 'deploy/ha/restore.sh'), ...(at ? [at] : [])], {
      ...patroni.env,
      PATH: `${first.path}:${join(patroni.path, '..')}`,
      PATRONI_CONFIG: first.config,
    });
    this.#row(`${first.name} restored to ${at ? 'a moment' : 'the end of the log'}`, from);
    first.start();
    // One without data that came first would make a cluster of its own.
    await this.#leads(first);
    for (const node of others) {
      await rm(node.data, { recursive: true, force: true });
      node.start();
    }
    await this.#cluster.healthy(WHOLE_AGAIN_MS);
    this.#row('all three run again, the others as copies of it', from);
  }

  async #leads({ name }: Node): Promise<void> {
    for (const end = performance.now() + WHOLE_AGAIN_MS; ; await wait(250)) {
      const members = await this.#cluster.members();
      if (members.some((member) => member.name === name && member.role === 'leader' && member.state === 'running'))
        return;
      if (performance.now() > end) throw new Error(`${name} does not lead: ${JSON.stringify(members)}`);
    }
  }

  #script(node: Node, words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    return node.run(['sh', join(this.#checkout, 'deploy/backup/wayfare-backup'), ...words], env);
  }

  #row(what: string, from: number): void {
    this.#rows.push([what, `${((performance.now() - from) / 1_000).toFixed(1)} s`]);
  }

  async #ask<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.#cluster.url });
    await client.connect();
    return (await client.query<Row>(statement).finally(() => client.end())).rows;
  }
}

async function repeated(work: () => Promise<unknown>): Promise<void> {
  for (const end = performance.now() + STANZA_MS; ; await wait(2_000))
    try {
      return void (await work());
    } catch (error) {
      if (performance.now() > end) throw error;
    }
}

const timeOfBackup = async ({ metrics }: Node): Promise<string | undefined> =>
  /^wayfare_backup_success_timestamp_seconds (\d+)$/m.exec(
    await readFile(join(metrics, 'wayfare_backup.prom'), 'utf8').catch(() => ''),
  )?.[1];
