/**
 * How many calls of one account are kept. A key at the standard limits makes 1,458 calls a minute at most, and five keys some 120 a
 * second, so what such an account does is kept whole. An account with higher limits may make ten thousand calls a second; its
 * log would hold the last of those seconds, and writing all of them would cost more than answering them.
 */
const BURST = 1_500;
const PER_SECOND = 125;

export class Allowance {
  readonly #spent = new Map<number, number>();

  take(partnerId: number): boolean {
    const spent = this.#spent.get(partnerId) ?? 0;
    if (spent >= BURST) return false;
    this.#spent.set(partnerId, spent + 1);
    return true;
  }

  /** To be called once a second. */
  refill(): void {
    for (const [partnerId, spent] of this.#spent) {
      if (spent > PER_SECOND) this.#spent.set(partnerId, spent - PER_SECOND);
      else this.#spent.delete(partnerId);
    }
  }
}
