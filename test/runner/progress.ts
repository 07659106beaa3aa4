import type { Ended } from './reporter.ts';
import { processorTime, stolenSince } from './stolen.ts';

const SHOWN = 10;
/** The share of stolen processor time above which a failure may be the machine's fault. */
const MUCH_STOLEN = 0.2;

export interface Took {
  readonly file: string;
  readonly seconds: number;
  /** What it would have taken if nothing of the processor had been stolen. */
  readonly undisturbed: number;
  /** Processor time of the file's process and of those it started, without the database's. */
  readonly processor: number;
}

interface Results {
  readonly since: ReturnType<typeof processorTime>;
  passed: number;
  readonly failures: string[];
  readonly skips: string[];
}

/**
 * The output of a run: a progress line, each failure as it happens, and at the end slow and skipped tests and every failure again,
 * for readers who see only the last lines.
 *
 * If a file fails while the host gives much of the processor to other machines, it runs again, once and alone, and that result counts.
 * The run reports that. Without stolen time there is no second run.
 */
export class Progress {
  readonly #expected: ReadonlyMap<string, number>;
  readonly #began = performance.now();
  readonly #took: Took[] = [];
  readonly #running = new Map<string, Results>();
  readonly #starved: string[] = [];
  #isSecondTry = false;
  readonly #skips: string[] = [];
  readonly #failures: string[] = [];
  #passed = 0;

  /** How many seconds each file took when it was last recorded. */
  constructor(expected: ReadonlyMap<string, number>) {
    this.#expected = expected;
  }

  get failed(): number {
    return this.#failures.length;
  }

  get skips(): readonly string[] {
    return this.#skips;
  }

  get took(): readonly Took[] {
    return this.#took;
  }

  began(file: string): void {
    this.#running.set(file, { since: processorTime(), passed: 0, failures: [], skips: [] });
  }

  ended(file: string, { name, isSuite, skipped, error }: Ended): void {
    const results = this.#running.get(file);
    if (!results) return;
    if (error !== undefined) {
      const failure = `${file}: ${name}\n${error.replace(/^/gm, '    ')}`;
      results.failures.push(failure);
      this.#print(`✖ ${failure}\n`);
    } else if (skipped !== undefined) results.skips.push(`${file}: ${name}: ${skipped}`);
    else if (!isSuite) results.passed += 1;
  }

  done(file: string, seconds: number, processor: number): void {
    const results = this.#running.get(file);
    this.#running.delete(file);
    const stolen = results ? stolenSince(results.since) : 0;
    if (results && results.failures.length > 0 && stolen > MUCH_STOLEN && !this.#isSecondTry) {
      this.#starved.push(file);
      this.note(`${file} failed while ${Math.round(stolen * 100)} % of the processor time was stolen: it runs again`);
      return;
    }
    this.#passed += results?.passed ?? 0;
    this.#failures.push(...(results?.failures ?? []));
    this.#skips.push(...(results?.skips ?? []));
    this.#took.push({ file, seconds, undisturbed: seconds * (1 - stolen), processor });
    const line = `${this.#took.length}/${this.#expected.size} files, ${this.failed} failed, ${this.#left()}`;
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}`);
    else console.log(`${line}  ${file} ${seconds.toFixed(1)} s, ${processor.toFixed(1)} s of a processor`);
  }

  /** The files to run a second time; that result counts. */
  secondTry(): readonly string[] {
    this.#isSecondTry = true;
    return this.#starved;
  }

  /** Something else that belongs to the run, such as the type check. */
  note(text: string, hasFailed = false): void {
    if (hasFailed) this.#failures.push(text);
    this.#print(`${hasFailed ? '✖' : '#'} ${text}\n`);
  }

  end({ all, database }: { all: number; database: number }): void {
    this.#took.sort((a, b) => b.seconds - a.seconds);
    const minutes = (performance.now() - this.#began) / 60_000;
    this.#print(`\n# ${this.#took.length} files in ${minutes.toFixed(1)} minutes\n`);
    const share = `${database.toFixed()} s of them PostgreSQL's`;
    console.log(`# ${all.toFixed()} s of processor time, ${share}; the slowest, and theirs:`);
    for (const { file, seconds, processor } of this.#took.slice(0, SHOWN))
      console.log(`${seconds.toFixed(1).padStart(8)} s  ${processor.toFixed(1).padStart(8)} s  ${file}`);
    for (const file of this.#starved) console.log(`# ran twice, starved the first time: ${file}`);
    for (const skip of this.#skips) console.log(`# skipped: ${skip}`);
    for (const failure of this.#failures) console.log(`✖ ${failure}`);
    console.log(`\n${this.#passed} passed, ${this.failed} failed, ${this.#skips.length} skipped`);
  }

  /** Estimated from the finished files' durations compared with their recorded ones. */
  #left(): string {
    const sum = (files: Iterable<string>) => [...files].reduce((all, file) => all + (this.#expected.get(file) ?? 0), 0);
    const all = sum(this.#expected.keys());
    const finished = sum(this.#took.map(({ file }) => file));
    if (finished === 0) return 'starting';
    const left = ((performance.now() - this.#began) / 1_000) * (all / finished - 1);
    return left < 60 ? 'under a minute left' : `about ${Math.round(left / 60)} min left`;
  }

  #print(text: string): void {
    process.stdout.write(`${process.stdout.isTTY ? '\r\x1b[K' : ''}${text}`);
  }
}
