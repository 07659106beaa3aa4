import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '../../../../platform/clock.ts';
import type { Sql } from '../../../../platform/db/query/sql.ts';
import type { Job } from '../../../../platform/jobs/runner.ts';
import type { Services } from '../../../../platform/start/services.ts';
import { Lanes } from '../queue/lanes.ts';
import { type AttemptOutcome, type Claimed, claim, dueLanes } from '../queue/queue.ts';
import type { MakeAttempt } from './attempt.ts';
import { record } from './record.ts';

/*
 * The delivery loop of one world. Three things run independently of each other, so that none waits for the slowest receiver:
 *
 * - Rounds. The job runner calls `#round`: find out what is due if `#checkNow` is set, claim what the lanes have room for, start
 *   the attempts, return without waiting for them. A round that claimed something is followed by another at once.
 * - Attempts. Each is a promise in `#inFlight`. When it ends, its outcome goes into `#outcomes`, its lane is updated, and if that
 *   made claiming worthwhile, the runner is woken.
 * - Recording. At most one `#recordAll` runs at a time. Outcomes that arrive while a batch is being written form the next one,
 *   so batches grow with the load. If the database is away it retries until it is back: this process is the only one that knows
 *   the outcome. It is safe to give up, too (the process dies): the lease ends and the delivery is sent again.
 *
 * Rounds happen because somebody woke the runner: a hint after a commit, an attempt that finished, or the timer. Hints can get
 * lost, so the timer looks at the whole queue once a second. That look and the lease bound how long the rows of a killed
 * process are left alone.
 */

interface DeliverOptions extends Pick<Services, 'db' | 'clock' | 'log'> {
  /** Names the job: one per world. */
  readonly name: string;
  readonly attempt: MakeAttempt;
  /** Asks the runner for a round. */
  readonly wake: (job: string) => void;
  /** Called after every attempt, for the metrics. */
  readonly onAttempt: (outcome: AttemptOutcome) => void;
  /** Writes the notices about the subscriptions that `disabled` selects, in the statement that disables them. */
  readonly noticesOf: (disabled: Sql) => Sql;
}

const LOOK_EVERY_MS = 1 * SECOND;
const MAX_RECORDED = 500;
const RECORD_RETRY_MS = 200;
/** How long a process that stops goes on trying to record. What it could not record is found again when its lease ends. */
const RECORD_LIMIT_MS = 3 * SECOND;

export class Delivery {
  readonly job: Job;
  readonly #options: DeliverOptions;
  readonly #lanes = new Lanes();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #looking: NodeJS.Timeout;
  #checkNow = true;
  #outcomes: AttemptOutcome[] = [];
  #recording: Promise<void> | undefined;
  /** Set when stopping: recording is not tried again after this aborts. */
  #giveUp: AbortSignal | undefined;

  constructor(options: DeliverOptions) {
    this.#options = options;
    this.job = { name: options.name, everyMs: LOOK_EVERY_MS, run: () => this.#round() };
    this.#looking = setInterval(() => this.hint(), LOOK_EVERY_MS).unref();
  }

  /** Rows may be due: of these subscriptions, or, if none are named, of any. */
  hint(subscriptionIds?: readonly bigint[]): void {
    if (subscriptionIds) this.#lanes.haveDue(subscriptionIds);
    else this.#checkNow = true;
    this.#options.wake(this.job.name);
  }

  /**
   * Waits until no attempt is in flight and every outcome is recorded, or recording has failed for `RECORD_LIMIT_MS`. Call it
   * after the runner has stopped. Attempts need no limit here, since each has its own.
   */
  async close(): Promise<void> {
    clearInterval(this.#looking);
    await Promise.all(this.#inFlight);
    this.#giveUp = AbortSignal.timeout(RECORD_LIMIT_MS);
    await this.#recording;
  }

  async #round(): Promise<number> {
    const { db, clock } = this.#options;
    if (this.#checkNow) {
      this.#checkNow = false;
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
      this.#inFlight.delete(running);
      this.#outcomes.push(outcome);
      this.#options.onAttempt(outcome);
      this.#recording ??= this.#recordAll();
      if (this.#lanes.finished(claimed.subscriptionId, outcome)) this.#options.wake(this.job.name);
    });
    this.#inFlight.add(running);
  }

  async #recordAll(): Promise<void> {
    const { db, clock, log, noticesOf } = this.#options;
    await null;
    while (this.#outcomes.length > 0) {
      const batch = this.#outcomes.splice(0, MAX_RECORDED);
      for (let recorded = false; !recorded; ) {
        try {
          const disabled = await record(db, batch, clock.now(), noticesOf);
          recorded = true;
          for (const one of disabled)
            log.warn(
              { job: this.job.name, ...one },
              'a subscription was disabled after ten failures in a row; it is tried again by itself',
            );
        } catch (error) {
          if (this.#giveUp?.aborted) {
            const deliveries = batch.length + this.#outcomes.length;
            log.warn(
              { err: error, deliveries },
              'stopping with outcomes unrecorded; they are sent again after their lease',
            );
            return;
          }
          log.warn({ err: error, deliveries: batch.length }, 'outcomes could not be recorded; trying again');
          await sleep(RECORD_RETRY_MS);
        }
      }
    }
    this.#recording = undefined;
  }
}
