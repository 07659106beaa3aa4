import { SECOND } from '../clock.ts';

/** So many orders in a row that a supplier left without an answer, and it is left alone. */
export const SILENT_ORDERS = 5;
/** For so long; then one order is tried, and an answer to it lets the rest through. */
export const PAUSE_MS = 15 * SECOND;

/**
 * Whether orders of one supplier are worth trying. While it is silent each of them would wait for its whole time limit, and
 * find out the same. Of this process alone: it saves waiting, and no rule depends on it.
 */
export class Breaker {
  /** Orders without an answer since the last one that came. Different ones: a single order may be slow for its own reasons. */
  readonly #silent = new Set<bigint>();
  #pausedUntil: number | undefined;

  get isOpen(): boolean {
    return this.#pausedUntil !== undefined;
  }

  /** May an order be tried? After a pause whoever asks first may, and the others wait for its outcome, or another pause. */
  admits(now: number): boolean {
    if (this.#pausedUntil === undefined) return true;
    if (now < this.#pausedUntil) return false;
    this.#pausedUntil = now + PAUSE_MS;
    return true;
  }

  /** A try of an order ended; says what that changed. */
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
