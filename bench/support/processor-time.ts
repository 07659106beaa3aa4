import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Microseconds of a tick, in which Linux counts. */
const TICK = 10_000;

/** Processor time a process has used: alone, and with the children it has outlived. */
function timesOf(pid: number | string): { parent: number; alone: number; withEnded: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const sum = (from: number, to: number) => fields.slice(from, to).reduce((ticks, field) => ticks + Number(field), 0);
  return { parent: Number(fields[1]), alone: sum(11, 13) * TICK, withEnded: sum(11, 15) * TICK };
}

/** Microseconds of processor time that a process has used. */
export const usedBy = (pid: number): number => timesOf(pid).alone;

/** The same of the PostgreSQL whose data lie in a folder, with all its processes. */
export function usedByPostgres(folder: string): number {
  const postmaster = Number.parseInt(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10);
  let sum = timesOf(postmaster).withEnded;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const { parent, alone } = timesOf(pid);
      if (parent === postmaster) sum += alone;
    } catch {} // It has ended.
  return sum;
}
