import { type Clock, SECOND } from '../../../platform/clock.ts';

/** Consecutive unanswered orders before the breaker opens. */
export const SILENT_ORDERS = 5;
/** How long it stays open. Then one order is tried, and an answer to it lets the rest through. */
export const PAUSE_MS = 15 * SECOND;

/**
 * A circuit breaker for one supplier. While a supplier is silent, every order would wait for its whole time limit only to find
 * that out again. It is local to this process and only saves waiting; no rule depends on it.
 */
export class Breaker {
  /** Orders left unanswered since the last answer. Different ones: a single order may be slow for reasons of its own. */
  readonly #silent = new Set<bigint>();
  #pausedUntil: number | undefined;

  get isOpen(): boolean {
    return this.#pausedUntil !== undefined;
  }

  /** May an order be tried? After a pause the first caller may; the others wait for its outcome, or for another pause. */
  admits(now: number): boolean {
    if (this.#pausedUntil === undefined) return true;
    if (now < this.#pausedUntil) return false;
    this.#pausedUntil = now + PAUSE_MS;
    return true;
  }

  /** Records how a try ended and returns what that changed. */
  ended(orderId: bigint, answered: boolean, now: number): 'opened' | 'closed' | undefined {
    if (answered) {
      const wasOpen = this.isOpen;
      this.#pausedUntil = undefined;
      this.#silent.clear();
      return wasOpen ? 'closed' : undefined;
    }
    if (this.isOpen) {
      this.#pausedUntil = now + PAUSE_MS;
      return undefined;
    }
    this.#silent.add(orderId);
    if (this.#silent.size < SILENT_ORDERS) return undefined;
    this.#silent.clear();
    this.#pausedUntil = now + PAUSE_MS;
    return 'opened';
  }
}

/** One breaker per supplier, for calls of one kind: a supplier can deliver and still not answer about withdrawals. */
export class Breakers {
  static readonly pauseMs = PAUSE_MS;
  readonly #clock: Clock;
  readonly #changed: (supplier: string, change: 'opened' | 'closed') => void;
  readonly #of = new Map<string, Breaker>();

  constructor(clock: Clock, changed: (supplier: string, change: 'opened' | 'closed') => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  /** Calls a supplier about an order; undefined: its breaker is open and it was not called. */
  async through<Answer>(
    supplier: string,
    orderId: bigint,
    ask: () => Promise<Answer>,
    isSilent: (answer: Answer) => boolean,
  ): Promise<Answer | undefined> {
    const breaker = this.#of.get(supplier) ?? new Breaker();
    this.#of.set(supplier, breaker);
    if (!breaker.admits(this.#clock.now())) return undefined;
    const answer = await ask();
    const change = breaker.ended(orderId, !isSilent(answer), this.#clock.now());
    if (change) this.#changed(supplier, change);
    return answer;
  }

  get open(): string[] {
    return [...this.#of].flatMap(([supplier, { isOpen }]) => (isOpen ? [supplier] : []));
  }
}
