/*
 * How long a request may take.
 *
 * Each step of a request has a limit of its own (a statement, a lock, a supplier), and the steps add up. So a request also has a
 * budget as a whole: when it is spent, the client gets an answer, whatever the request is waiting for. The work it has started
 * continues, because a transaction that may have been committed cannot be undone.
 *
 * Steps nest: the edge waits for the endpoint, which waits for the charge. The innermost one knows best what to answer, so it is
 * asked first. If the request is still not answered at the next look, the one around it is asked.
 *
 * One timer looks at all open requests. A timer each would be set and cleared with every request, for something that almost never
 * happens.
 */

export interface Budget {
  readonly isSpent: boolean;
  /** The result of the work or, if the budget is spent first, what `late` returns or throws. The work continues. */
  within<T>(work: Promise<T>, late: () => T): Promise<T>;
}

const LOOK_MS = 200;

export class Budgets {
  readonly limitMs: number;
  /** The budgets that something waits within. */
  readonly #waiting = new Set<OpenBudget>();
  readonly #looking: NodeJS.Timeout;

  constructor(limitMs: number) {
    this.limitMs = limitMs;
    this.#looking = setInterval(() => this.#look(), Math.min(LOOK_MS, limitMs / 4)).unref();
  }

  /** `moreMs`: for a request that waits for another one, which has a budget of its own and should be the first to answer. */
  begin(moreMs = 0): Budget {
    return new OpenBudget(this.#waiting, performance.now() + this.limitMs + moreMs);
  }

  close(): void {
    clearInterval(this.#looking);
  }

  #look(): void {
    for (const budget of this.#waiting) if (budget.isSpent) budget.answer();
  }
}

/** Measured with a monotonic clock: turning the program's clock must not end a request. */
class OpenBudget implements Budget {
  readonly #waiting: Set<OpenBudget>;
  readonly #endsAt: number;
  /** The outermost step first. It is among the waiting while there is one. */
  readonly #late: (() => void)[] = [];

  constructor(waiting: Set<OpenBudget>, endsAt: number) {
    this.#waiting = waiting;
    this.#endsAt = endsAt;
  }

  get isSpent(): boolean {
    return performance.now() >= this.#endsAt;
  }

  within<T>(work: Promise<T>, late: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const answer = () => {
        try {
          resolve(late());
        } catch (error) {
          reject(error);
        }
      };
      if (this.#late.push(answer) === 1) this.#waiting.add(this);
      work.then(
        (value) => {
          this.#done(answer);
          resolve(value);
        },
        (error) => {
          this.#done(answer);
          reject(error);
        },
      );
    });
  }

  /** Asks the innermost step that is still waiting. */
  answer(): void {
    const late = this.#late.pop();
    if (late && this.#late.length === 0) this.#waiting.delete(this);
    late?.();
  }

  #done(answer: () => void): void {
    // Nearly always the innermost one.
    if (this.#late.at(-1) === answer) this.#late.pop();
    else {
      const at = this.#late.lastIndexOf(answer);
      if (at < 0) return;
      this.#late.splice(at, 1);
    }
    if (this.#late.length === 0) this.#waiting.delete(this);
  }
}
