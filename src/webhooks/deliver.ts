import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, SECOND } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { Job } from '../jobs/runner.ts';
import type { Log } from '../log.ts';
import type { Attempt } from './attempt.ts';
import { Lanes } from './lanes.ts';
import { type AttemptOutcome, type Claimed, claim, dueLanes, record } from './queue.ts';

export interface DeliverOptions {
  /** Names the job: one per world. */
  readonly name: string;
  readonly db: Db;
  readonly attempt: Attempt;
  readonly clock: Clock;
  readonly log: Log;
  /** Asks the runner for another round. */
  readonly wake: (job: string) => void;
}

/** Looking is the truth, hints only make it quicker: with the lease this bounds how long a dead process's rows rest. */
const LOOK_EVERY_MS = 1 * SECOND;
/** Outcomes recorded in one statement. */
const MAX_RECORDED = 500;
const RECORD_RETRY_MS = 200;

/** Sends what is due in one world. Claims are made by the job, attempts run on beside it, outcomes are recorded in batches. */
export class Delivery {
  readonly job: Job;
  readonly #options: DeliverOptions;
  readonly #lanes = new Lanes();
  readonly #underWay = new Set<Promise<void>>();
  readonly #looking: NodeJS.Timeout;
  #lookNow = true;
  #outcomes: AttemptOutcome[] = [];
  #recording: Promise<void> | undefined;

  constructor(options: DeliverOptions) {
    this.#options = options;
    this.job = { name: options.name, everyMs: LOOK_EVERY_MS, run: () => this.#round() };
    this.#looking = setInterval(() => this.hint(), LOOK_EVERY_MS).unref();
  }

  /** Rows may be due: of these subscriptions, or, without any, somewhere. */
  hint(subscriptionIds?: readonly bigint[]): void {
    if (subscriptionIds) this.#lanes.haveDue(subscriptionIds);
    else this.#lookNow = true;
    this.#options.wake(this.job.name);
  }

  /** Waits until nothing is under way and everything is recorded. Call it when the runner has stopped claiming. */
  async close(): Promise<void> {
    clearInterval(this.#looking);
    await Promise.all(this.#underWay);
    await this.#recording;
  }

  /** One claim; the attempts it starts are not waited for, so a slow receiver holds up no round. */
  async #round(): Promise<number> {
    const { db, clock } = this.#options;
    if (this.#lookNow) {
      this.#lookNow = false;
      this.#lanes.haveDue(await dueLanes(db, clock.now()));
    }
    const rooms = this.#lanes.rooms();
    if (rooms.length === 0) return 0;
    const claimed = await claim(db, rooms, clock.now());
    const taken = new Map<bigint, number>();
    for (const { subscriptionId } of claimed) taken.set(subscriptionId, (taken.get(subscriptionId) ?? 0) + 1);
    this.#lanes.claimed(rooms, taken);
    for (const one of claimed) this.#start(one);
    return claimed.length;
  }

  #start(claimed: Claimed): void {
    const running = this.#options.attempt(claimed).then((outcome) => {
      this.#underWay.delete(running);
      this.#outcomes.push(outcome);
      this.#recording ??= this.#recordAll();
      if (this.#lanes.finished(claimed.subscriptionId, outcome)) this.#options.wake(this.job.name);
    });
    this.#underWay.add(running);
  }

  /** While one batch is written the next gathers. A database that is away is waited for: the outcomes are known only here. */
  async #recordAll(): Promise<void> {
    const { db, clock, log } = this.#options;
    await null;
    while (this.#outcomes.length > 0) {
      const batch = this.#outcomes.splice(0, MAX_RECORDED);
      for (let recorded = false; !recorded; ) {
        try {
          await record(db, batch, clock.now());
          recorded = true;
        } catch (error) {
          log.warn({ err: error, deliveries: batch.length }, 'outcomes could not be recorded; trying again');
          await sleep(RECORD_RETRY_MS);
        }
      }
    }
    this.#recording = undefined;
  }
}
