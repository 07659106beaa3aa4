import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Figures, fuzz, noFigures, PART } from './fuzz.ts';
import { writeReport } from './report.ts';

/** `npm run fuzz -- [--seed N] [--requests N] [--from N] [--report]` */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    requests: { type: 'string' },
    from: { type: 'string' },
    report: { type: 'boolean' },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const requests = Number(values.requests ?? 1_000_000);
const from = Number(values.from ?? 0);
if (!Number.isInteger(seed) || !(requests > 0) || !(from >= 0) || from % PART !== 0)
  throw new Error(`usage: npm run fuzz -- --seed N --requests N [--from N, a multiple of ${PART}] [--report]`);

/** The figures of a run that was stopped; `--from` goes on with them. */
const kept = join(tmpdir(), `wayfare-fuzz-${seed}.json`);
let figures = noFigures();
if (from > 0)
  try {
    figures = JSON.parse(readFileSync(kept, 'utf8')) as Figures;
  } catch {
    console.log(`there are no figures of the first ${from} requests: this report begins with request ${from}`);
  }
console.log(`seed ${seed}: requests ${from} to ${from + requests}`);
let isOver = false;
// Ctrl-C ends the run after the requests under way, with its last checks and what it has found so far.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isOver = true;
  });
const began = Date.now();
const onPart = (now: Figures, next: number) => {
  writeFileSync(kept, JSON.stringify(now));
  const done = Math.min(next - from, requests);
  const seconds = (Date.now() - began) / 1_000;
  const left = Math.max(0, Math.round(((requests - done) * seconds) / done / 60));
  const rate = Math.round(done / seconds);
  console.log(
    `${from + done} requests, ${rate}/s, about ${left} min left, ${now.findings.length} findings, ${now.memory.at(-1)} MB; go on with --from ${next}`,
  );
};
try {
  await fuzz({ seed, from, requests, figures, isOver: () => isOver, say: (line) => console.log(line), onPart });
  for (const { kind, about, times } of figures.findings) console.log(`${times} × ${kind}: ${about}`);
  console.log(
    `${figures.requests} requests in ${Math.round(figures.ms / 1_000)} s: ${figures.findings.length} findings; the ledger is proved`,
  );
  if (values.report) writeReport(seed, figures);
  if (figures.findings.length > 0) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
