import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Microseconds of a tick, in which Linux counts processes that have ended. Of those that run it counts nanoseconds. */
const TICK = 10_000;

/** Microseconds of processor time that a process has used, all its threads together. */
export const usedBy = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + ofThread(`/proc/${pid}/task/${thread}`), 0);

function ofThread(folder: string): number {
  try {
    return Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]) / 1000;
  } catch {
    return 0; // It has ended.
  }
}

/** The PostgreSQL whose data is in a folder: its first process, then those that it has started. */
export function postgresIn(folder: string): readonly [number, ...number[]] {
  const postmaster = Number.parseInt(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10);
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').split(' ').filter(Boolean);
  return [postmaster, ...children.map(Number)];
}

/** The same for the PostgreSQL whose data is in a folder: all its processes, including those that have ended. */
export function usedByPostgres(folder: string): number {
  const processes = postgresIn(folder);
  const running = processes.reduce((sum, pid) => {
    try {
      return sum + usedBy(pid);
    } catch {
      return sum; // It has ended.
    }
  }, 0);
  // Fields 16 and 17 of the stat line, counted after the name, which may hold spaces.
  const stat = readFileSync(`/proc/${processes[0]}/stat`, 'utf8');
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15)
    .map(Number);
  return running + (user + system) * TICK;
}
