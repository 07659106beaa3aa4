import { readFileSync } from 'node:fs';

/** Processor time of the whole machine so far: how much was wanted, and how much of it the host gave to other machines. */
interface ProcessorTime {
  readonly wanted: number;
  readonly stolen: number;
}

/** Where the kernel does not say, nothing was stolen. */
export function processorTime(): ProcessorTime {
  try {
    const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '').trim().split(/\s+/).map(Number);
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = ticks;
    return { wanted: user + nice + system + irq + softirq + steal, stolen: steal };
  } catch {
    return { wanted: 0, stolen: 0 };
  }
}

/** The part of the processor time wanted since then that was stolen, from 0 to 1. */
export function stolenSince(then: ProcessorTime): number {
  const now = processorTime();
  return now.wanted > then.wanted ? (now.stolen - then.stolen) / (now.wanted - then.wanted) : 0;
}
