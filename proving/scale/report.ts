import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { machine } from '../../test/support/program/machine.ts';
import type { Step } from './build.ts';
import type { Row } from './measure.ts';
import { gigabytes, type Site } from './site.ts';
import type { Upkeep } from './upkeep.ts';

/** What is measured. */
export interface Asked {
  readonly orders: number;
  /** The size it is compared with. */
  readonly beside: number;
  readonly partners: number;
  readonly deliveries: number;
  readonly calls: number;
  /** If set, nothing else is measured and no report is written. */
  readonly only: RegExp | undefined;
}

export interface Outcome {
  readonly options: Asked;
  readonly small: Pick<Site, 'built' | 'proved'>;
  readonly large: Pick<Site, 'built' | 'proved'>;
  readonly rows: readonly Row[];
  readonly meanwhile: readonly Upkeep[];
}

const MOST_RATIO = 1.3;
/** A difference this small is measurement noise. */
const NOISE_MS = 1;
const MOST_MS = 200;
const FILE = join(import.meta.dirname, '../../docs/proofs/scale.md');

const isSlow = ({ large }: Row): boolean => large.ms > MOST_MS;
/** By processor time: how long something takes also depends on what else the machine does. */
const hasGrown = ({ small, large }: Row): boolean =>
  large.cpuMs > MOST_RATIO * small.cpuMs && large.cpuMs - small.cpuMs > NOISE_MS;

/** Prints what was found and leaves it in docs/proofs. Returns whether everything held. */
export async function writeReport(outcome: Outcome): Promise<boolean> {
  const { rows, small, large } = outcome;
  const wrong = rows.filter((row) => row.failure || isSlow(row) || hasGrown(row));
  const failed = outcome.meanwhile.flatMap((one) => [one, ...one.sent]).filter(({ failure }) => failure);
  const isProved = wrong.length + failed.length + small.proved.drift + large.proved.drift === 0;
  const text = page(outcome, wrong, isProved);
  console.log(`\n${text}`);
  if (!outcome.options.only) {
    await mkdir(join(FILE, '..'), { recursive: true });
    await writeFile(FILE, text);
  }
  return isProved;
}

function page({ options, small, large, rows, meanwhile }: Outcome, wrong: readonly Row[], isProved: boolean): string {
  const { orders, beside, partners, deliveries, calls } = options;
  const [few, many] = [beside.toLocaleString('en'), orders.toLocaleString('en')];
  const command = `npm run proof scale -- --orders ${orders} --beside ${beside} --partners ${partners} --deliveries ${deliveries} --calls ${calls}`;
  return `# Proof: scale

Made by \`${command}\` on ${new Date().toISOString().slice(0, 10)}: ${machine()}. Both
databases, both servers and the client shared that machine. Nothing is drawn by chance: order n is the same in every run.

**${isProved ? 'Everything held.' : 'Not everything held.'}** Of ${rows.length} requests, pages and jobs, all but ${wrong.length} cost at ${many} orders what they cost at ${few}: at most
${MOST_RATIO} times the processor time of the program and PostgreSQL (or ${NOISE_MS} ms more), and at most ${MOST_MS} ms from asking to the last byte, at the
median. ${partners.toLocaleString('en')} partners share the orders; a fifth of them are one partner's, which is the one that asks. ${calls} calls of each by one
client, at both sizes in turn.

${table(
  ['', few, many],
  [
    ['Disk', gigabytes(small.built.bytes), gigabytes(large.built.bytes)],
    ...small.built.steps.map((step, i) => [`${capital(step.name)} in`, took(step), took(large.built.steps[i])]),
    ['Whole ledger proved in', seconds(small.proved.seconds), seconds(large.proved.seconds)],
    ['Rules that found drift', small.proved.drift, large.proved.drift],
  ],
)}
In brackets: processor time of PostgreSQL. An order takes ${(large.built.bytes / orders / 1000).toFixed(1)} kB of disk with its charge, ${deliveries} deliveries, its usage and what is
counted of it, so a hundred million take ${gigabytes((large.built.bytes / orders) * 1e8)}.${small.built.isResumed || large.built.isResumed ? ' A build was ended and gone on with, so steps took longer than that.' : ''}

${wrong.length === 0 ? '' : `What did not hold:\n\n${measured(wrong, few, many)}`}
Purchases at 20 requests a second, five of six of them purchases, while the larger one is looked after; ms:

${table(
  ['Meanwhile', 'Seconds', 'Requests', 'Failed', 'Median', 'p99', 'Longest'],
  meanwhile.map(({ name, seconds: spent, sent, failure: broken }) => {
    const times = sent.flatMap(({ isPurchase, ms }) => (isPurchase ? [ms] : [])).sort((a, b) => a - b);
    const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed();
    const what = broken ? `${name}: ${broken}` : name;
    return [
      what,
      spent.toFixed(1),
      sent.length,
      sent.filter(({ failure }) => failure).length,
      at(0.5),
      at(0.99),
      at(1),
    ];
  }),
)}
Everything that was measured, in milliseconds:

${measured(rows, few, many)}`;
}

const measured = (rows: readonly Row[], few: string, many: string): string =>
  table(
    ['What', `${few}, processor`, `${many}, processor`, 'Ratio', `${few}, median`, `${many}, median`],
    rows.map((row) => [
      `\`${row.name.replaceAll('|', '\\|')}\``,
      ...(row.failure
        ? [row.failure.replaceAll('\n', ' ').slice(0, 200), '', '', '', '']
        : [
            row.small.cpuMs.toFixed(2),
            row.large.cpuMs.toFixed(2),
            (row.large.cpuMs / row.small.cpuMs).toFixed(2),
            row.small.ms.toFixed(1),
            row.large.ms.toFixed(1),
          ]),
    ]),
  );

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

const seconds = (spent: number): string => `${spent.toFixed(1)} s`;
const took = (step: Step | undefined): string =>
  step ? `${seconds(step.seconds)} (${seconds(step.cpuSeconds)})` : 'not measured';
const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
