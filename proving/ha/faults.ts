import { execFile } from 'node:child_process';
import { rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Cluster } from '../../deploy/ha/local/cluster.ts';
import { signalAll } from '../../deploy/ha/local/processes.ts';
import { PLANNED } from './gaps.ts';

const run = promisify(execFile);

/** Something that breaks in a cluster, and what an operator does about it later. */
export interface Fault {
  readonly name: string;
  /** Why it cannot be tried here. */
  impossible?(cluster: Cluster): string | undefined;
  /** Breaks it; returns a function that repairs it. */
  strike(cluster: Cluster): Promise<() => Promise<void>>;
}

/** Patroni repairs it. */
const nothing = async () => {};

export const FAULTS: readonly Fault[] = [
  {
    name: "the leader's PostgreSQL is killed",
    async strike(cluster) {
      signalAll(await (await cluster.nodeOf('leader')).postgres(), 'SIGKILL');
      return nothing;
    },
  },
  {
    name: "the leader's Patroni is killed",
    async strike(cluster) {
      const leader = await cluster.nodeOf('leader');
      await leader.patroni.end('SIGKILL');
      return async () => leader.start();
    },
  },
  {
    name: "the leader's machine dies",
    async strike(cluster) {
      const leader = await cluster.nodeOf('leader');
      await leader.kill();
      return async () => leader.start();
    },
  },
  {
    name: "the leader's PostgreSQL is frozen",
    async strike(cluster) {
      const pids = await (await cluster.nodeOf('leader')).postgres();
      signalAll(pids, 'SIGSTOP');
      return async () => signalAll(pids, 'SIGCONT');
    },
  },
  {
    name: "the leader's machine is frozen",
    async strike(cluster) {
      const pids = await (await cluster.nodeOf('leader')).everything();
      signalAll(pids, 'SIGSTOP');
      return async () => signalAll(pids, 'SIGCONT');
    },
  },
  {
    name: 'the leader is cut off from the network',
    impossible: ({ network }) => (network.cut ? undefined : 'namespaces need root'),
    async strike(cluster) {
      const { index } = await cluster.nodeOf('leader');
      await cluster.network.cut?.(index, true);
      return async () => cluster.network.cut?.(index, false);
    },
  },
  {
    name: "the leader's disk is full",
    impossible: ({ hasDisks }) => (hasDisks ? undefined : 'a disk of its own needs root'),
    async strike(cluster) {
      const { disk } = await cluster.nodeOf('leader');
      const filler = join(disk, 'filler');
      const { bavail, bsize } = await statfs(disk);
      await run('fallocate', ['-l', String(bavail * bsize), filler]).catch(() => {});
      // What is left is less than a block of the above could describe.
      await run('dd', ['if=/dev/zero', `of=${filler}.rest`, 'bs=4k']).catch(() => {});
      return async () => {
        for (const file of [filler, `${filler}.rest`]) await rm(file, { force: true });
      };
    },
  },
  {
    name: 'the standby that confirms commits is killed',
    async strike(cluster) {
      const standby = await cluster.nodeOf('sync_standby');
      await standby.kill();
      return async () => standby.start();
    },
  },
  {
    name: 'the standby that confirms commits is frozen',
    async strike(cluster) {
      const pids = await (await cluster.nodeOf('sync_standby')).everything();
      signalAll(pids, 'SIGSTOP');
      return async () => signalAll(pids, 'SIGCONT');
    },
  },
  {
    name: "the leader's member of etcd is killed",
    async strike(cluster) {
      const leader = await cluster.nodeOf('leader');
      await leader.etcd.end('SIGKILL');
      return async () => leader.start();
    },
  },
  {
    name: PLANNED,
    async strike(cluster) {
      await cluster.switchover();
      return nothing;
    },
  },
];
