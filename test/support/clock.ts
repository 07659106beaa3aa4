import type { Clock } from '../../src/platform/clock.ts';

/** A clock that runs like the real one, and can be moved ahead by a test. */
export class TestClock implements Clock {
  private offset = 0;
  private frozenAt: number | undefined;

  now(): number {
    return (this.frozenAt ?? Date.now()) + this.offset;
  }

  advance(ms: number): void {
    this.offset += ms;
  }

  /** Stopped (at `at`, or now); moves only when a test advances it. */
  freeze(at: number = this.now()): void {
    this.frozenAt = at;
    this.offset = 0;
  }
}
