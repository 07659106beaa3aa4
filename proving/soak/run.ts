import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chart } from './chart.ts';
import { verdict } from './flat.ts';
import { reportOf } from './report.ts';
import { seriesOf } from './samples.ts';
import { soak } from './soak.ts';

/** `npm run soak -- [--minutes M] [--rate N] [--report]` */
const { values } = parseArgs({
  options: { minutes: { type: 'string' }, rate: { type: 'string' }, report: { type: 'boolean' } },
});
const minutes = Number(values.minutes ?? 60);
const rate = Number(values.rate ?? 30);
if (!(minutes > 0) || !(rate > 0))
  throw new Error('usage: npm run soak -- --minutes M --rate REQUESTS_PER_SECOND [--report]');
let isOver = false;
// Ctrl-C ends the load, and the report is about what there is until then.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isOver = true;
  });
let shown = 0;
const soaked = await soak({
  minutes,
  rate,
  isOver: () => isOver,
  onSample({ second, memory, queue, lag }, { requests, failures }) {
    if (second - shown < 30) return;
    shown = second;
    const left = Math.max(0, Math.round(minutes - second / 60));
    console.log(
      `${Math.round(second / 60)} min, about ${left} min left: ${requests} requests, ${failures.length} failures, ${Math.round(memory)} MB, ${queue} deliveries waiting, the oldest ${lag.toFixed(1)} s`,
    );
  },
});
const series = seriesOf(soaked.samples);
const verdicts = series.map(verdict);
const text = reportOf({ ...soaked, rate, verdicts });
console.log(`\n${text}`);
if (values.report) {
  mkdirSync('docs/proofs', { recursive: true });
  writeFileSync('docs/proofs/soak.md', text);
  writeFileSync('docs/proofs/soak.svg', chart(series, Math.round(soaked.seconds / 60)));
}
if (soaked.done.failures.length > 0 || verdicts.some(({ isFlat }) => !isFlat)) process.exitCode = 1;
