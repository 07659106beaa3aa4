/*
 * Decides how many deliveries of which subscription to claim next. No I/O and no clock: deliver.ts tells it what is due, what
 * was claimed and what finished, and asks `rooms()` what to claim.
 *
 * The problem: receivers belong to strangers. One that hangs keeps each attempt open for ten seconds, and a first-come queue
 * would soon consist of attempts to it. So every subscription is a lane with its own window, and a slow receiver only ever fills
 * its own.
 *
 * The window is the number of attempts a lane may have in flight. It adapts like TCP's congestion window, because the
 * question is the same: how much can the other side take?
 *
 *   new lane        2      enough to learn from
 *   quick success   + 1    up to 32; quick means within half a second
 *   slow success    half   at least 1; more at once would only queue up at the receiver until they time out there
 *   failure         1      one attempt at a time until one succeeds, then it grows again
 *
 * A lane is also proven or unproven. It is proven while its latest finished attempt succeeded. Windows alone do not protect
 * healthy receivers from a thousand hanging ones, which would take all 512 slots of the process with one attempt each.
 * Therefore unproven lanes together get at most 384 slots, and at least 128 are left for receivers that answer. When a lane
 * changes sides, all its attempts in flight change sides with it (`finished`), so `#unproven` is always the exact sum over the
 * unproven lanes.
 *
 * Which lanes have something due is a belief, kept in `#due`:
 *
 *   added      by a hint after a commit, or by the look at the queue once a second (`haveDue`)
 *   kept       when a claim filled all its room: there may be more. The lane moves to the end of the set, and `rooms()` reads
 *              from the front, so the lane served longest ago is next.
 *   removed    when a claim brought less than its room: the lane is dry until the next hint or look
 *
 * A wrong belief costs an empty claim or up to a second's delay, never a delivery.
 *
 * Two thresholds keep claims from becoming single-row statements. A lane gets room only when at most half of its window is in
 * flight. And when the whole process was full (`#full`: a due lane got no room), `finished` asks for the next claim only once
 * 32 slots are free, instead of after every finished attempt.
 *
 * A lane with nothing in flight is forgotten only when there are more than 10,000 lanes; its window then starts again at 2.
 */

/** Attempts one process has in flight at a time. */
const MAX_IN_FLIGHT = 512;
/** The share of them that unproven lanes may use together. */
const MAX_UNPROVEN = 384;
/** Free slots to wait for before claiming again after the process was full. */
const WORTH_CLAIMING = 32;
const FIRST_WINDOW = 2;
const MAX_WINDOW = 32;
/** The slowest success that still widens the window. */
const QUICK_MS = 500;
/** Lanes remembered beyond those that have attempts in flight. */
const MAX_IDLE_LANES = 10_000;

interface Lane {
  inFlight: number;
  window: number;
  /** The latest finished attempt succeeded. */
  proven: boolean;
}

interface Finished {
  readonly succeeded: boolean;
  readonly durationMs: number;
}

export interface Room {
  readonly subscriptionId: bigint;
  readonly room: number;
}

export class Lanes {
  readonly #lanes = new Map<bigint, Lane>();
  /** Lanes believed to have due rows, the one served longest ago first. */
  readonly #due = new Set<bigint>();
  /**
   * Lanes named since the last `rooms()`. A claim may have looked before the row was committed that a hint names, so a lane
   * hinted at while its claim ran stays due, however little that claim brought.
   */
  readonly #hinted = new Set<bigint>();
  #inFlight = 0;
  #unproven = 0;
  /** The last `rooms()` left out a due lane because all slots it may use were taken. */
  #full = false;

  haveDue(subscriptionIds: Iterable<bigint>): void {
    for (const id of subscriptionIds) {
      this.#due.add(id);
      this.#hinted.add(id);
    }
  }

  /** What to claim now; empty if nothing is due or every due lane is busy. */
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
      // Filling up a busy lane would cost a claim for every row.
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

  /** `taken`: how many rows a claim for `rooms` brought, by lane. */
  claimed(rooms: readonly Room[], taken: ReadonlyMap<bigint, number>): void {
    for (const { subscriptionId, room } of rooms) {
      const count = taken.get(subscriptionId) ?? 0;
      const lane = this.#lane(subscriptionId);
      this.#count(lane, count);
      this.#due.delete(subscriptionId);
      if (count === room || this.#hinted.has(subscriptionId)) this.#due.add(subscriptionId);
    }
  }

  /** True if it is worth claiming again. */
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
