import type { Ended } from './reporter.ts';

const SHOWN = 10;

/**
 * What a run shows: a line that keeps up with it, each failure as it happens, and at the end what was slow, what was skipped and
 * every failure again, for whoever sees only the last lines.
 */
export class Progress {
  readonly #expected: ReadonlyMap<string, number>;
  readonly #began = performance.now();
  readonly #took: { file: string; seconds: number }[] = [];
  readonly #running = new Set<string>();
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

  get took(): readonly { file: string; seconds: number }[] {
    return this.#took;
  }

  began(file: string): void {
    this.#running.add(file);
  }

  ended(file: string, { name, isSuite, skipped, error }: Ended): void {
    if (error !== undefined) {
      this.#fail(`${file}: ${name}\n${error.replace(/^/gm, '    ')}`);
    } else if (skipped !== undefined) this.#skips.push(`${file}: ${name}: ${skipped}`);
    else if (!isSuite) this.#passed += 1;
  }

  done(file: string, seconds: number): void {
    this.#running.delete(file);
    this.#took.push({ file, seconds });
    const line = `${this.#took.length}/${this.#expected.size} files, ${this.failed} failed, ${this.#left()}`;
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}`);
    else console.log(`${line}  ${file} ${seconds.toFixed(1)} s`);
  }

  /** Something else that belongs to the run, such as the type check. */
  note(text: string, hasFailed = false): void {
    if (hasFailed) this.#fail(text);
    else this.#print(`# ${text}\n`);
  }

  #fail(text: string): void {
    this.#failures.push(text);
    this.#print(`✖ ${text}\n`);
  }

  end(): void {
    this.#took.sort((a, b) => b.seconds - a.seconds);
    const minutes = (performance.now() - this.#began) / 60_000;
    this.#print(`\n# ${this.#took.length} files in ${minutes.toFixed(1)} minutes; the slowest:\n`);
    for (const { file, seconds } of this.#took.slice(0, SHOWN))
      console.log(`${seconds.toFixed(1).padStart(8)} s  ${file}`);
    for (const skip of this.#skips) console.log(`# skipped: ${skip}`);
    for (const failure of this.#failures) console.log(`✖ ${failure}`);
    console.log(`\n${this.#passed} passed, ${this.failed} failed, ${this.#skips.length} skipped`);
  }

  /** By what the finished files took, compared with what was recorded of them. */
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
