/** Attempts one process has under way at a time. */
const MAX_IN_FLIGHT = 512;
/** Of those, for lanes whose last attempt did not succeed, or that had none yet: a wave of silent receivers fills no more. */
const MAX_UNPROVEN = 384;
/** When all was in use, slots to wait for before the next claim. */
const WORTH_CLAIMING = 32;
const FIRST_WINDOW = 2;
const MAX_WINDOW = 32;
/** A receiver that takes longer has as many at a time as it can bear: more would only queue up there and time out. */
const QUICK_MS = 500;
/** Lanes remembered while nothing of theirs is under way. */
const MAX_IDLE_LANES = 10_000;

interface Lane {
  inFlight: number;
  /** Attempts that may be under way: one more with each quick success, half with a slow one, a single one after a failure. */
  window: number;
  proven: boolean;
}

export interface Finished {
  readonly succeeded: boolean;
  readonly durationMs: number;
}

export interface Room {
  readonly subscriptionId: bigint;
  readonly room: number;
}

/**
 * Decides how many rows of which subscription are claimed next. Every subscription is a lane of its own, so a receiver that
 * hangs holds up its own lane and no other.
 */
export class Lanes {
  readonly #lanes = new Map<bigint, Lane>();
  /** Lanes thought to have rows due, the one served longest ago first. */
  readonly #due = new Set<bigint>();
  /**
   * Lanes named since the last `rooms()`. A claim may have looked before the row was committed that a hint names, so a lane
   * hinted at while its claim ran stays due, however little that claim brought.
   */
  readonly #hinted = new Set<bigint>();
  #inFlight = 0;
  #unproven = 0;
  /** Due lanes were left out because everything is in use. */
  #full = false;

  haveDue(subscriptionIds: Iterable<bigint>): void {
    for (const id of subscriptionIds) {
      this.#due.add(id);
      this.#hinted.add(id);
    }
  }

  /** What to claim now; empty when nothing is due or every lane with due rows is busy. */
  rooms(): Room[] {
    const rooms: Room[] = [];
    let left = MAX_IN_FLIGHT - this.#inFlight;
    let unproven = MAX_UNPROVEN - this.#unproven;
    this.#full = false;
    this.#hinted.clear();
    for (const id of this.#due) {
      if (left <= 0) {
        this.#full = true;
        break;
      }
      const lane = this.#lane(id);
      // Topping up a busy lane row by row would cost a claim each.
      if (lane.inFlight * 2 > lane.window) continue;
      const room = Math.min(lane.window - lane.inFlight, left, lane.proven ? left : unproven);
      if (room <= 0) {
        this.#full = true;
        continue;
      }
      left -= room;
      if (!lane.proven) unproven -= room;
      rooms.push({ subscriptionId: id, room });
    }
    return rooms;
  }

  /** `taken`: rows a claim for `rooms` brought, per lane. A lane that filled its room may have more; the others are dry. */
  claimed(rooms: readonly Room[], taken: ReadonlyMap<bigint, number>): void {
    for (const { subscriptionId, room } of rooms) {
      const count = taken.get(subscriptionId) ?? 0;
      const lane = this.#lane(subscriptionId);
      this.#count(lane, count);
      this.#due.delete(subscriptionId);
      if (count === room || this.#hinted.has(subscriptionId)) this.#due.add(subscriptionId);
    }
  }

  /** True when it is worth claiming again. */
  finished(subscriptionId: bigint, { succeeded, durationMs }: Finished): boolean {
    const lane = this.#lane(subscriptionId);
    this.#count(lane, -1);
    if (lane.proven !== succeeded) this.#unproven += succeeded ? -lane.inFlight : lane.inFlight;
    lane.proven = succeeded;
    lane.window = succeeded ? nextWindow(lane.window, durationMs) : 1;
    if (lane.inFlight === 0 && this.#lanes.size > MAX_IDLE_LANES) this.#lanes.delete(subscriptionId);
    if (this.#full) return MAX_IN_FLIGHT - this.#inFlight >= WORTH_CLAIMING;
    return this.#due.has(subscriptionId) && lane.inFlight * 2 <= lane.window;
  }

  #lane(id: bigint): Lane {
    const known = this.#lanes.get(id);
    if (known) return known;
    const lane = { inFlight: 0, window: FIRST_WINDOW, proven: false };
    this.#lanes.set(id, lane);
    return lane;
  }

  #count(lane: Lane, change: number): void {
    lane.inFlight += change;
    this.#inFlight += change;
    if (!lane.proven) this.#unproven += change;
  }
}

function nextWindow(window: number, durationMs: number): number {
  return durationMs <= QUICK_MS ? Math.min(window + 1, MAX_WINDOW) : Math.max(window >> 1, 1);
}
