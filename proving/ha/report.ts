import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Buyers } from './buyers.ts';
import { limitFor, median } from './gaps.ts';
import type { Verdict } from './verdict.ts';

export interface Struck {
  readonly name: string;
  readonly recoveredMs: number;
  readonly healedMs: number;
  readonly minutes: number;
}

export interface Outcome {
  readonly seed: number;
  readonly only: readonly string[] | undefined;
  readonly struck: readonly Struck[];
  readonly skipped: readonly { readonly name: string; readonly why: string }[];
  readonly buyers: Buyers;
  /** What was done with backups, and how long it took. Undefined: nothing. */
  readonly backups: readonly (readonly [string, string])[] | undefined;
  readonly verdict: Verdict;
}

const FILE = join(import.meta.dirname, '../../docs/proofs/ha.md');

/** Prints what was found and, if every fault was tried, leaves it in docs/proofs. Returns whether everything held. */
export async function writeReport(outcome: Outcome): Promise<boolean> {
  const { struck, verdict } = outcome;
  const slow = struck.filter(({ recoveredMs }) => recoveredMs > limitFor(struck));
  const isProved = verdict.wrong.length === 0 && slow.length === 0;
  const text = page(outcome, isProved, slow.length);
  console.log(`\n${text}`);
  if (!outcome.only) {
    await mkdir(join(FILE, '..'), { recursive: true });
    await writeFile(FILE, text);
  }
  return isProved;
}

function page(
  { seed, only, struck, skipped, buyers, backups, verdict }: Outcome,
  isProved: boolean,
  slow: number,
): string {
  const minutes = struck.reduce((sum, one) => sum + one.minutes, 0);
  const all = struck.map(({ recoveredMs }) => recoveredMs);
  const byName = [...Map.groupBy(struck, ({ name }) => name)].sort(([a], [b]) => a.localeCompare(b));
  const rows = byName.map(([name, times]) => {
    const [after, repair] = [times.map((one) => one.recoveredMs), times.map((one) => one.healedMs)];
    return [name, times.length, seconds(median(after)), seconds(Math.max(...after)), seconds(Math.max(...repair))];
  });
  const refusals = [...buyers.refusals].sort(([, a], [, b]) => b - a).map(([name, times]) => [`\`${name}\``, times]);
  return `# Proof: high availability

Made by \`npm run proof ha -- --minutes ${Math.round(minutes)} --seed ${seed}${only ? ` --only ${only}` : ''}\` on ${new Date().toISOString().slice(0, 10)}:
${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}. The three nodes, HAProxy, two Wayfare processes, the
supplier and eight clients shared that machine.

**${isProved ? 'Everything held.' : 'Not everything held.'}** In ${minutes.toFixed(1)} minutes with ${struck.length} faults ${verdict.orders} eSIMs were bought. ${buyers.repeated} purchases had to be sent
more than once; the slowest took ${seconds(buyers.slowestMs)}.

${table(
  ['Promise', 'Found'],
  [
    ['Acknowledged purchases lost', verdict.lost],
    ['Bought twice', verdict.boughtTwice],
    ['Purchases work again, median of all faults', seconds(median(all))],
    [`Purchases work again, worst (at most ${seconds(limitFor(struck))})`, seconds(Math.max(0, ...all))],
    ['Faults after which it took longer', slow],
    ['The ledger, the orders and the supplier agree', verdict.wrong.length === 0 ? 'yes' : 'no'],
  ],
)}
${verdict.wrong.map((sentence) => `- **Wrong:** ${sentence}\n`).join('')}
Each fault lasts 15 seconds and is then repaired. 0.0 s: no process was without an acknowledged
purchase for two seconds.

${table(['Fault', 'Times', 'Works again after, median', 'Worst', 'Worst interruption by the repair'], rows)}
${skipped.map(({ name, why }) => `- Skipped: ${name}, because ${why}.\n`).join('')}
${backups ? `Backups, with the files of deploy/backup and deploy/ha:\n\n${table(['Done', 'Took'], backups)}\n` : ''}What clients were answered before they were told of their order:

${table(['Answer', 'Times'], refusals)}`;
}

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
