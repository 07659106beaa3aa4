import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second. */
const TICKS = 100;

interface Process {
  readonly parent: number;
  /** Of itself and of its children that have ended, which it waited for. */
  readonly seconds: number;
}

function read(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before it may contain anything.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0] = fields.slice(1);
    return { parent, seconds: fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) / TICKS };
  } catch {
    return undefined;
  }
}

/** The processor time a process and everything below it have used. Where the kernel does not say, none. */
export function processorSeconds(pid: number): number {
  const all = new Map<number, Process>();
  for (const name of pid > 0 && process.platform === 'linux' ? readdirSync('/proc') : []) {
    const found = /^\d+$/.test(name) ? read(Number(name)) : undefined;
    if (found) all.set(Number(name), found);
  }
  const below = (parent: number): number =>
    [...all].reduce(
      (sum, [child, { parent: of }]) => sum + (of === parent ? below(child) : 0),
      all.get(parent)?.seconds ?? 0,
    );
  return below(pid);
}
