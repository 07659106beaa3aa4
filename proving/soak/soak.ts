import { setTimeout as sleep } from 'node:timers/promises';
import { Site } from '../chaos/site.ts';
import { signInMember } from '../fuzz/cast.ts';
import { type Done, Load } from './load.ts';
import { type Sample, takeSample } from './samples.ts';

const SAMPLE_MS = 5_000;
/** Two of the four receivers are away for this long, this often. */
const AWAY_MS = 20_000;
const AWAY_EVERY_MS = 120_000;
const EMPTY_WITHIN_MS = 120_000;

export interface Soaked {
  readonly samples: readonly Sample[];
  readonly done: Done;
  readonly seconds: number;
  /** After the load ended: until every delivery that nothing holds was sent. */
  readonly emptySeconds: number;
}

/** A steady load on one server process with its own database, sampled every few seconds. */
export async function soak(given: {
  readonly minutes: number;
  readonly rate: number;
  readonly isOver: () => boolean;
  readonly onSample: (sample: Sample, done: Done) => void;
}): Promise<Soaked> {
  await using site = await Site.open(1, { onOutput: () => {} });
  const load = await Load.open(site, signInMember);
  await load.refillSandbox();
  const samples: Sample[] = [];
  const running = new Set<Promise<void>>();
  const began = Date.now();
  const elapsed = () => Date.now() - began;
  let nextSample = 0;
  for (let sent = 0; elapsed() < given.minutes * 60_000 && !given.isOver(); ) {
    for (; sent < (elapsed() / 1_000) * given.rate && running.size < 200; sent++) {
      const one = load.one().finally(() => running.delete(one));
      running.add(one);
    }
    // Requests that the machine could not send in time are dropped: the rate is steady.
    sent = Math.max(sent, Math.floor((elapsed() / 1_000) * given.rate) - given.rate);
    setAway(site, elapsed() % AWAY_EVERY_MS > AWAY_EVERY_MS - AWAY_MS);
    if (elapsed() >= nextSample) {
      nextSample += SAMPLE_MS;
      const sample = await takeSample(site, Math.round(elapsed() / 1_000));
      samples.push(sample);
      given.onSample(sample, load.done);
      if (samples.length % 24 === 0) await load.refillSandbox();
    }
    await sleep(20);
  }
  await Promise.all(running);
  const seconds = elapsed() / 1_000;
  setAway(site, false);
  const emptySeconds = await emptied(site);
  const ended = await site.operator('audit');
  if (ended.outcome !== 'done' || ended.result.ok !== true) throw new Error(`the audit: ${JSON.stringify(ended)}`);
  return { samples, done: load.done, seconds, emptySeconds };
}

function setAway({ receivers }: Site, isAway: boolean): void {
  for (const [i, receiver] of receivers.entries()) {
    receiver.answer = isAway && i % 2 === 1 ? 503 : 200;
    // The receiver stores what it gets; over this run that would fill our own memory.
    receiver.received.length = 0;
  }
}

async function emptied(site: Site): Promise<number> {
  const began = Date.now();
  for (;;) {
    const { queue } = await takeSample(site, 0);
    const seconds = (Date.now() - began) / 1_000;
    if (queue === 0 || seconds * 1_000 > EMPTY_WITHIN_MS) return seconds;
    await sleep(500);
  }
}
