import { requireThat } from './violation.ts';

/**
 * A setting that one round may be changing. Operations of a round overlap, so until the round is over each of the values
 * counts; then the one in force is read back and must be the one that was confirmed, or either of them if the confirmation
 * was lost.
 */
export class Possible<T> {
  #values: T[];
  #confirmed: { readonly value: T } | undefined;

  constructor(value: T) {
    this.#values = [value];
  }

  /** The value in force; before the end of a round that changes it, the one in force when the round began. */
  get value(): T {
    return this.#values[0] as T;
  }

  get all(): readonly T[] {
    return this.#values;
  }

  get isChanging(): boolean {
    return this.#values.length > 1;
  }

  has(value: T): boolean {
    return this.#values.includes(value);
  }

  propose(value: T): void {
    this.#values.push(value);
  }

  confirm(value: T): void {
    this.#confirmed = { value };
  }

  settle(read: T, what: string): void {
    if (this.#confirmed) requireThat(read === this.#confirmed.value, `${what} was changed and is not`, read);
    requireThat(this.has(read), `${what} has a value that was never set`, { read, possible: this.#values });
    this.#values = [read];
    this.#confirmed = undefined;
  }
}

/** An amount of cents that operations of one round add to and take from, in an unknown order. */
export class Account {
  #before: number;
  #added = 0;
  #taken = 0;

  constructor(cents = 0) {
    this.#before = cents;
  }

  /** The lowest value it can have had during the round. */
  get least(): number {
    return this.#before - this.#taken;
  }

  /** The highest value it can have had during the round. */
  get most(): number {
    return this.#before + this.#added;
  }

  get now(): number {
    return this.#before + this.#added - this.#taken;
  }

  add(cents: number): void {
    if (cents > 0) this.#added += cents;
    else this.#taken -= cents;
  }

  /** The round is over: what is left is what the next one starts with. */
  close(): void {
    this.#before = this.now;
    this.#added = 0;
    this.#taken = 0;
  }

  /** Set to an amount, whatever it was. */
  restart(cents: number): void {
    this.#before = cents;
    this.#added = 0;
    this.#taken = 0;
  }
}
