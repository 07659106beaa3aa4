import { machine } from '../../test/support/program/machine.ts';
import type { Verdict } from './flat.ts';
import type { Soaked } from './soak.ts';

const rounded = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1);

/** `docs/proofs/soak.md` */
export function reportOf({
  samples,
  done,
  seconds,
  emptySeconds,
  rate,
  verdicts,
}: Soaked & { rate: number; verdicts: readonly Verdict[] }): string {
  const minutes = Math.round(seconds / 60);
  const [first, last] = [samples[0], samples.at(-1)];
  const grown = ((last?.sizeMb ?? 0) - (first?.sizeMb ?? 0)) * 1024;
  const rows = verdicts.map(
    ({ name, unit, median, highest, moved, allowed, isFlat }) =>
      `| ${name}${unit && ` (${unit})`} | ${rounded(median)} | ${rounded(highest)} | ${rounded(moved)} | ${rounded(allowed)} | ${isFlat ? 'flat' : '**not flat**'} |`,
  );
  return `# A long steady load

\`npm run soak -- --minutes ${minutes} --rate ${rate} --report\` · \`proving/soak/\`

One server process with a PostgreSQL of its own, the simulated supplier beside it, and ${rate} requests per second: purchases in both
worlds, reads, refunds and pages of the panel. Each world has two webhook receivers, one of which is away for 20 seconds in every two
minutes. Every five seconds the figures below are read.

- Date: ${new Date().toISOString().slice(0, 10)}
- Machine: ${machine()}
- ${minutes} minutes: ${done.requests.toLocaleString('en-US')} requests, ${done.bought.toLocaleString('en-US')} purchases, ${done.refunds.toLocaleString('en-US')} refunds, ${done.askedAgain} purchases sent again after a charge took too long, **${done.failures.length} failures**
- The database grew from ${rounded(first?.sizeMb ?? 0)} to ${rounded(last?.sizeMb ?? 0)} MB: ${rounded(grown / Math.max(1, done.bought))} KB per purchase, with its events and what is logged of the requests
- After the load the queue of deliveries was empty within ${rounded(emptySeconds)} s, and the ledger was proved

![The figures over the whole run](soak.svg)

The rule: a straight line is fitted to the second half of a figure. What it rises must not be more than a tenth of the median, or than
the figure's own tolerance if that is more (\`proving/soak/flat.ts\`).

| Figure | Median of the second half | Highest | Rose in the second half | Allowed | |
| --- | ---: | ---: | ---: | ---: | --- |
${rows.join('\n')}
${done.failures.length > 0 ? `\nFailures:\n\n${done.failures.map((one) => `- \`${one}\``).join('\n')}\n` : ''}`;
}
