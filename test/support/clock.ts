import type { Clock } from '../../src/platform/clock.ts';

/** A clock that goes on by itself like the real one, and further when a test turns it. */
export class TestClock implements Clock {
  private offset = 0;
  private frozenAt: number | undefined;

  now(): number {
    return (this.frozenAt ?? Date.now()) + this.offset;
  }

  advance(ms: number): void {
    this.offset += ms;
  }

  /** Stands still (at `at`, or now) until it is advanced by hand. */
  freeze(at: number = this.now()): void {
    this.frozenAt = at;
    this.offset = 0;
  }
}
