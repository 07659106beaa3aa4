import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Acknowledged } from './buyers.ts';
import type { Struck } from './report.ts';

/** Who buys what, under which secret. */
interface Stocked {
  readonly seed: number;
  readonly secret: string;
  readonly keys: readonly string[];
  readonly product: string;
}

/** What a proof stores in its folder, so that it can be continued. Everything acknowledged so far is compared again at the end. */
export class Kept {
  readonly journal: string;
  readonly #shop: string;
  readonly #faults: string;

  constructor(folder: string) {
    this.journal = join(folder, 'acknowledged.jsonl');
    this.#shop = join(folder, 'shop.json');
    this.#faults = join(folder, 'faults.jsonl');
  }

  async stocked(stock: () => Promise<Stocked>): Promise<Stocked> {
    const text = await readFile(this.#shop, 'utf8').catch(() => undefined);
    if (text) return JSON.parse(text) as Stocked;
    const made = await stock();
    await writeFile(this.#shop, JSON.stringify(made), { mode: 0o600 });
    return made;
  }

  acknowledged(): Promise<Acknowledged[]> {
    return lines(this.journal);
  }

  struck(): Promise<Struck[]> {
    return lines(this.#faults);
  }

  async add(struck: Struck): Promise<void> {
    await appendFile(this.#faults, `${JSON.stringify(struck)}\n`);
  }
}

/** A last line that was not finished does not count: its purchase is sent again. */
async function lines<T>(file: string): Promise<T[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const whole = text.split('\n').slice(0, -1);
  if (text && !text.endsWith('\n')) await writeFile(file, `${whole.join('\n')}\n`);
  return whole.map((line) => JSON.parse(line) as T);
}
